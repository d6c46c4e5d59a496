"""The C interface as its header declares it: structs, functions and numbers for ctypes, read from `bookahead.h` when a program begins.

Nothing is written down twice, so nothing can drift: a struct that gains a field in the header has it here.
"""

import ctypes
import re
from enum import IntEnum
from pathlib import Path

SCALARS = {
    "bool": ctypes.c_bool, "size_t": ctypes.c_size_t, "uint8_t": ctypes.c_uint8, "uint16_t": ctypes.c_uint16, "uint32_t": ctypes.c_uint32,
    "uint64_t": ctypes.c_uint64, "int32_t": ctypes.c_int32, "int64_t": ctypes.c_int64,
}
WHOLE = [kind for name, kind in SCALARS.items() if name != "bool"]


class Whole:
    """A whole number as a parameter. One that does not fit is an error, which ctypes would cut down to one that does, and so is what is none."""

    def __init__(self, kind):
        self.kind = kind

    def from_param(self, value):
        expected = f"{value!r}: expected a whole number of {8 * ctypes.sizeof(self.kind)} bits"
        if not isinstance(value, int):
            try:
                return self.kind.from_param(value)
            except TypeError:
                raise TypeError(expected) from None
        number = self.kind(value)
        if number.value != value:
            raise ValueError(expected)
        return number

    def array(self, values):
        """An array of such numbers."""
        return (self.kind * len(values))(*map(self.from_param, values))


class HeaderError(Exception):
    """The header says something that is not understood here."""


class Declared(dict):
    """What the header declares for the features that the library has."""

    def __missing__(self, name):
        raise AttributeError(f"{name}: not in the header, or for a library with more features: see kernel/capi/build --features")


def is_true(condition, defined):
    """Whether a condition of the preprocessor holds for a C99 compiler."""
    known = {"__STDC_VERSION__ >= 202311L": "False", "UINTPTR_MAX > 0xFFFFFFFFu": str(ctypes.sizeof(ctypes.c_void_p) > 4)}
    for text, value in known.items():
        condition = condition.replace(text, value)
    condition = re.sub(r"defined\((\w+)\)", lambda match: str(match[1] in defined), condition)
    words = condition.replace("&&", " and ").replace("||", " or ").replace("(", " ( ").replace(")", " ) ").split()
    if not set(words) <= {"True", "False", "and", "or", "(", ")"}:
        raise HeaderError(f"condition {condition!r}")
    return eval(" ".join(words))  # Nothing but these six words.


def kept(text, defined):
    """What is left of a header when these macros are defined: no comments, no conditions."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.S).replace("\\\n", " ")
    lines, holds = [], []
    for line in text.splitlines():
        word, _, rest = line.strip().partition(" ")
        if word == "#if":
            holds.append(is_true(rest, defined))
        elif word in ("#ifdef", "#ifndef"):
            holds.append((rest.strip() in defined) == (word == "#ifdef"))
        elif word == "#else":
            holds[-1] = not holds[-1]
        elif word == "#endif":
            holds.pop()
        elif all(holds):
            lines.append(line)
    return "\n".join(lines)


def functions_in(text):
    """Name, type of the result and parameters of each function that a text declares."""
    declared = re.findall(r"^([\w ]+[\w*])\s*\b(bookahead_\w+)\(([^;]*)\);", text, flags=re.M)
    return {name: (result, [] if words == "void" else [" ".join(word.split()) for word in words.split(",")]) for result, name, words in declared}


def bindings_in(text):
    """The numbers of the bindings that a text declares."""
    return {int(number) for number in re.findall(r"^ *BOOKAHEAD_BINDING_\w+ = (\d+),", text, flags=re.M)}


class Interface:
    """A shared library together with what its header declares."""

    def __init__(self, library, header):
        self.library = ctypes.CDLL(str(library))
        if not hasattr(self.library, "bookahead_abi_version"):
            raise HeaderError(f"{library} is another library, without bookahead_abi_version")
        text = Path(header).read_text()
        self.numbers = {name: int(value) for name, value in re.findall(r"^#define BOOKAHEAD_(\w+) (\d+)$", text, flags=re.M)}
        found, expected = self.library.bookahead_abi_version(), self.numbers["ABI_VERSION"]
        if found != expected:
            raise HeaderError(f"the library has version {found} of the interface, the header {expected}")
        self.features, self.missing = self._features(text)
        text = kept(text, {f"BOOKAHEAD_{feature.upper()}" for feature in self.features})
        self.enums = Declared()
        for name, body in re.findall(r"^enum bookahead_(\w+)\s*\{(.*?)^\};", text, flags=re.M | re.S):
            members = re.findall(r"(\w+) = (\d+),", body)
            self.enums[name] = IntEnum(name, {member.removeprefix(f"BOOKAHEAD_{name.upper()}_"): int(number) for member, number in members})
        self.structs = Declared()
        for name, body in re.findall(r"^struct (bookahead_\w+) \{(.*?)^\};", text, flags=re.M | re.S):
            fields = [self._field(" ".join(words.split())) for words in body.split(";") if words.strip()]
            self.structs[name] = type(name, (ctypes.Structure,), {"_fields_": fields})
        for name, (result, parameters) in functions_in(text).items():
            function = getattr(self.library, name)
            function.restype = self._type(result)
            types = [self._type(re.sub(r"\w+$", "", words)) for words in parameters]
            function.argtypes = [Whole(kind) if kind in WHOLE else kind for kind in types]
            setattr(self, name.removeprefix("bookahead_"), function)

    def __getattr__(self, name):
        """Of what is not there."""
        features = self.__dict__.get("missing", {}).get(f"bookahead_{name}")
        raise AttributeError(f"{name}: " + (f"the library needs kernel/capi/build --features {features}" if features else "the header has no such function"))

    def _features(self, text):
        """What the library was built with, by the functions that it has: those that the header declares for a feature alone, or where there are none, the books of its binding. And for each function that is missing, the features it is in."""
        macros = {f"BOOKAHEAD_{name}" for name in re.findall(r"defined\(BOOKAHEAD_(\w+)\)", text)}
        always, every = functions_in(kept(text, set())), functions_in(kept(text, macros))
        found, missing = [], {}
        for macro in sorted(macros):
            feature = macro.removeprefix("BOOKAHEAD_").lower()
            more = functions_in(kept(text, {macro})).keys() - always
            bindings = bindings_in(kept(text, {macro})) - bindings_in(kept(text, set()))
            if not more and not bindings:
                raise HeaderError(f"no function or binding is for {feature} alone")
            # A binding of PEs without a layout has books of one of them.
            if all(hasattr(self.library, name) for name in more) and (more or all(self.library.bookahead_bytes(number, 1, 1, 1) for number in bindings)):
                found.append(feature)
                continue
            for name in every.keys() - functions_in(kept(text, macros - {macro})):
                missing[name] = f"{missing[name]},{feature}" if name in missing else feature
        return found, missing

    def _type(self, words):
        words = " ".join(word for word in words.replace("*", " * ").split() if word not in ("const", "struct"))
        base, _, stars = words.partition(" *")
        stars = stars.count("*") + (" *" in words)
        if base == "char" and stars == 1:
            return ctypes.c_char_p
        if base.startswith("bookahead_") and base not in self.structs:
            # What the header only names, such as a book, always behind a pointer.
            base = "void"
        if base not in {"void", *SCALARS, *self.structs} or (base == "void" and stars == 0):
            raise HeaderError(f"type {words!r}")
        found = ctypes.c_void_p if base == "void" else SCALARS.get(base) or self.structs[base]
        for _ in range(stars - (base == "void")):
            found = ctypes.POINTER(found)
        return found

    def _field(self, words):
        if "(" in words:
            # A function of the caller's.
            return re.search(r"\(\*(\w+)\)", words)[1], ctypes.c_void_p
        found = re.fullmatch(r"(.*?)(\w+)(?:\[(\w+)\])?", words)
        kind = self._type(found[1])
        length = found[3] and (int(found[3]) if found[3].isdigit() else self.numbers[found[3].removeprefix("BOOKAHEAD_")])
        return found[2], kind * length if length else kind

    def offsets(self):
        """Where each field of each struct begins and how long it is, by the names that C has for them; without a field, the struct itself."""
        found = {(struct, ""): (0, ctypes.sizeof(layout)) for struct, layout in self.structs.items()}
        for struct, layout in self.structs.items():
            found |= {(struct, name): (getattr(layout, name).offset, getattr(layout, name).size) for name, _ in layout._fields_}
        return found
