"""What a visitor does with the playground, in a Chromium without a screen. `examples/playground/test` runs it.

    browser.py PAGE STREAM HISTORY...

Each history, and 10,000 requests that the native command STREAM answers first, are replayed in the page and have to come out byte for byte. Then requests are
made by mouse, by touch and by keyboard, with inputs that the browser takes for a person's. Pictures are left beside the page. The browser is spoken to through
two pipes in its DevTools protocol; nothing but Python's standard library is needed.
"""

import base64
import json
import os
import random
import select
import subprocess
import sys
import tempfile
from pathlib import Path

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
         "--disable-sync", "--hide-scrollbars", "--remote-debugging-pipe"]
POLICIES = ["first-fit", "pe-best-fit", "pe-worst-fit", "duration-best-fit", "duration-worst-fit", "pe-duration-best-fit", "pe-duration-worst-fit"]


class Browser:
    """A page in a browser."""

    def __init__(self, page, profile):
        theirs, ours = os.pipe()
        mine, answers = os.pipe()
        script = f'exec chromium "$@" 3<&{theirs} 4>&{answers}'
        command = ["bash", "-c", script, "bash", *FLAGS, f"--user-data-dir={profile}", "about:blank"]
        self.process = subprocess.Popen(command, pass_fds=(theirs, answers), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(theirs)
        os.close(answers)
        self.to, self.of, self.rest = os.fdopen(ours, "wb"), mine, b""
        self.number, self.session, self.page, self.fetched = 0, None, page.resolve().as_uri(), set()
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.ask("Page.enable")
        self.ask("Runtime.enable")
        self.ask("Network.enable")

    def heard(self):
        while b"\0" not in self.rest:
            ready, _, _ = select.select([self.of], [], [], 120)
            more = os.read(self.of, 1 << 20) if ready else b""
            if not more:
                self.process.kill()
                sys.exit("error: the browser has ended, or says nothing for two minutes")
            self.rest += more
        line, self.rest = self.rest.split(b"\0", 1)
        message = json.loads(line)
        if message.get("method") == "Runtime.exceptionThrown":
            details = message["params"]["exceptionDetails"]
            sys.exit(f"error: the page says: {details.get('exception', {}).get('description', details)}")
        if message.get("method") == "Network.requestWillBeSent":
            self.fetched.add(message["params"]["request"]["url"])
        return message

    def ask(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        self.to.write(json.dumps(message).encode() + b"\0")
        self.to.flush()
        while (answer := self.heard()).get("id") != self.number:
            pass
        if "error" in answer:
            sys.exit(f"error: {method}: {answer['error']}")
        return answer["result"]

    def value(self, expression):
        """What an expression of the page's script is."""
        answer = self.ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            sys.exit(f"error: {expression[:200]}: {answer['exceptionDetails']['exception']['description']}")
        return answer["result"].get("value")

    def open(self, width, height, scheme="light", touch=False):
        """The page afresh, on a screen of that width."""
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=touch)
        self.ask("Emulation.setTouchEmulationEnabled", enabled=touch)
        self.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.ask("Page.navigate", url=self.page)
        self.value("new Promise((done) => { const wait = () => typeof draft !== 'undefined' && draft ? done() : setTimeout(wait, 10); wait(); })")

    def picture(self, file):
        image = self.ask("Page.captureScreenshot", format="png", captureBeyondViewport=True)
        file.write_bytes(base64.b64decode(image["data"]))

    def point(self, slot, row):
        """Where the middle of a slot and a row is on the screen."""
        return self.value(f"(() => {{ const box = chart.getBoundingClientRect(); return [box.left + scale.left + ({slot} - scale.from + 0.5) * scale.step, "
                          f"box.top + scale.height - ({row} + 0.5) * scale.rowHeight]; }})()")

    def mouse(self, start, end):
        middle = [(a + b) / 2 for a, b in zip(start, end)]
        for kind, (x, y) in [("mouseMoved", start), ("mousePressed", start), ("mouseMoved", middle), ("mouseMoved", end), ("mouseReleased", end)]:
            buttons = 0 if kind == "mouseMoved" and [x, y] == list(start) else 1
            self.ask("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=buttons, clickCount=1)

    def touch(self, start, end):
        middle = [(a + b) / 2 for a, b in zip(start, end)]
        for kind, points in [("touchStart", [start]), ("touchMove", [middle]), ("touchMove", [end]), ("touchEnd", [])]:
            self.ask("Input.dispatchTouchEvent", type=kind, touchPoints=[{"x": x, "y": y} for x, y in points])

    def key(self, name, shift=False):
        codes = {"Tab": 9, "Enter": 13, "Escape": 27, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, " ": 32}
        for kind in ("rawKeyDown", "keyUp"):
            self.ask("Input.dispatchKeyEvent", type=kind, key=name, code=name, windowsVirtualKeyCode=codes[name], modifiers=8 if shift else 0)

    def tab_to(self, identity):
        for _ in range(60):
            if self.value("document.activeElement.id") == identity:
                return
            self.key("Tab")
        sys.exit(f"error: the tabulator does not lead to {identity}")

    def reservations(self):
        return {one["number"]: one for one in self.value("state.reservations")}


def check(what, found, expected=True):
    if found != expected:
        sys.exit(f"error: {what}: {found!r}, expected {expected!r}")
    print(f"ok: {what}")


def requests(kind, count):
    """So many requests to an empty book, beside jobs that come from the queue, as time passes."""
    draw = random.Random(7)
    lines, now, asked = [f"size {kind} 16 48 32 easy 4 no"], 0, 0
    while asked < count:
        ready, duration, pes = now + draw.randrange(24), draw.randrange(1, 12), draw.randrange(1, 18)
        deadline = ready + duration + draw.randrange(-1, 20)
        terms = draw.choice(["confirmed", "flexible interval never", "flexible interval acceptance", f"held {draw.randrange(1, 6)}"])
        request = f"{ready} {duration} {deadline} {pes}"
        way = draw.randrange(10)
        if way < 7:
            lines.append(f"book {request} {POLICIES[way]} {terms}")
        elif way == 7:
            lines.append(f"juggle {request} {draw.choice(['confirmed', 'flexible interval never'])} deadline no yes {now} 64 64 64 100000 commit")
        elif way == 8:
            lines.append(f"shift-in {request} confirmed both least-shift {now} 64 100000 64 commit")
        else:
            lines.append(f"offers {request} {draw.choice(['pareto-front', 'strip-packing'])} earliest 8 100 150 8")
        asked += 1
        if asked % 3 == 0:
            lines += [f"explain {request} 8", f"advance {now} 64", f"advance {now + 1} 64"]
            now += 1
    return "\n".join(lines) + "\n"


def replays(browser, stream, histories, scratch):
    texts = {path.name: path.read_text() for path in histories}
    for kind in ("sets", "counts"):
        asked = scratch / f"{kind}.txt"
        asked.write_text(requests(kind, 10_000))
        texts[f"10,000 requests to {kind}"] = subprocess.check_output([stream, "replay", asked, "--on", "kernel"], text=True, stderr=subprocess.DEVNULL)
    for name, text in texts.items():
        browser.value(f"find('text').value = {json.dumps(text)}; find('replay').click()")
        replies = text.count("\n= ")
        check(f"{name}: what the page says of it", browser.value("find('replayed').textContent"), f"{replies} replies are as expected, nothing was expected of 0")
        check(f"{name}: {replies} replies, byte for byte", browser.value("find('text').value") == text)
        booked = text.count("\n= booked")
        print(f"    {booked} booked, {text.count(chr(10) + '= refused')} refused, {text.count(chr(10) + '= juggled')} rearranged")
    changed = texts["waiting.txt"].replace("= booked 0 0", "= booked 0 1", 1)
    browser.value(f"find('text').value = {json.dumps(changed)}; find('replay').click()")
    check("a reply that is not the expected one is named", "answers booked 0 0, and not booked 0 1" in browser.value("find('replayed').textContent"))


def visits(browser):
    browser.open(1400, 900)
    check("nothing but the page is fetched", browser.fetched, {browser.page})
    before = browser.reservations()
    check("the sample", len(before), 7)

    # By mouse, seven slots on five PEs.
    browser.mouse(browser.point(46, 7), browser.point(40, 3))
    made = browser.reservations()[7]
    check("a drag books what was drawn", [made[name] for name in ("ready", "duration", "deadline", "pes")], [40, 7, 48, 5])
    check("on named PEs, inside its window", len(made["names"]) == 5 and 40 <= made["start"] <= 41)
    check("and says so", browser.value("find('said').textContent").startswith("Booked as 7: slots "))

    # By keyboard: the request appears with the first key.
    browser.tab_to("chart")
    for name, shift in [("ArrowRight", False)] * 3 + [("ArrowRight", True)] * 2 + [("ArrowUp", True), ("ArrowUp", False)]:
        browser.key(name, shift)
    check("keys shape the request", browser.value("[draft.ready, draft.duration, draft.pes, draft.row]"), [2, 6, 5, 1])
    browser.tab_to("deadline-handle")
    browser.key("ArrowRight")
    check("and its window", browser.value("draft.deadline"), 31)
    check("the focus stays on the handle", browser.value("document.activeElement.id"), "deadline-handle")
    browser.value("chart.focus()")
    for _ in range(3):
        browser.key("ArrowDown", shift=True)
    browser.value("say('remember')")
    starts = browser.value("WAYS.map((by) => tries.get(by).start ?? tries.get(by).reason)")
    check("nine ways answer", len(starts), 9)
    check("what is asked changes nothing", browser.value("say('is-unchanged')"), "is yes")
    browser.tab_to("chart")
    browser.key("Enter")
    check("Enter books", 8 in browser.reservations())

    # Who is refused learns why, and takes a counter-offer.
    browser.value("find('drop').click()")
    browser.mouse(browser.point(0, 0), browser.point(9, 15))
    check("what does not fit is refused with the kernel's reason", browser.value("find('said').textContent").startswith("Refused, no-room:"))
    check("and is explained", browser.value("find('why').children.length") > 0)
    check("whoever is in the way is marked", browser.value("chart.querySelectorAll('.holder').length") > 0)
    offers = browser.value("find('offers').children.length")
    check("there are counter-offers", offers > 0)
    live = set(browser.reservations())
    browser.value("find('offers').querySelector('button').click()")
    check("one is taken", len(set(browser.reservations()) - live), 1)
    browser.value("find('undo').click()")
    check("and undone", set(browser.reservations()), live)

    # Others move for a newcomer.
    browser.value("find('clear').click(); restart(HEAD, ['book 0 10 40 10 first-fit flexible interval never'])")
    browser.value("reshape({ ready: 0, duration: 6, pes: 16, row: 0, deadline: 8 })")
    check("the policies have no room", browser.value("POLICIES.every((by) => tries.get(by).reason === 'no-room')"))
    check("juggling and shifting have", browser.value("[tries.get('juggle').start, tries.get('juggle').moved, tries.get('shift').moved]"), [0, [0], [0]])
    browser.value("document.querySelector('[value=juggle]').click(); find('book').click()")
    moved = browser.reservations()
    check("the newcomer is booked and the other one moved", [moved[1]["start"], moved[0]["start"] >= 6], [0, True])

    # Time passes, a job of one slot is not missed, a running job ends, late binding piles up numbers.
    browser.value("find('tick').click()")
    check("a job starts before time passes", browser.value("[state.now, state.reservations.find((one) => one.number === 1).phase]"), [1, "running"])
    browser.value("document.querySelector('[aria-label=\"End number 1\"]').click()")
    check("and is ended", 1 not in browser.reservations())
    browser.value("restart(HEAD, ['book 0 1 4 3 first-fit confirmed']); find('tick').click()")
    check("what happens is said", browser.value("find('said').textContent"), "slot 0: 0 started, slot 1: 0 overran.")
    browser.value("restart(HEAD, SAMPLE); document.querySelector('[name=kind][value=counts]').click()")
    check("with late binding nobody has named PEs", browser.value("state.reservations.every((one) => one.names.length === 0)"))
    check("each is as high as the PEs that it takes", browser.value("pieces(state.reservations).every(({ one, rows }) => rows === one.pes)"))
    cells = browser.value("pieces(state.reservations).map(({ start, end, row, rows }) => [start, end, row, rows])")
    cells = [(slot, line) for start, end, row, rows in cells for slot in range(start, end) for line in range(row, row + rows)]
    check("and lies on the others", len(set(cells)), len(cells))
    check("and the axis counts up to 16", "16" in browser.value("[...chart.querySelectorAll('text')].map((text) => text.textContent)"))
    check("a number that cannot be is refused", browser.value(
        "find('form').pes.value = 17, find('form').pes.dispatchEvent(new Event('input', { bubbles: true })), find('said').textContent").startswith("Refused, too-wide"))

    browser.value("find('history').open = true")
    nameless = [node["role"]["value"] for node in browser.ask("Accessibility.getFullAXTree")["nodes"]
                if any(one["name"] == "focusable" for one in node.get("properties", [])) and not node.get("name", {}).get("value")]
    check("whatever takes the focus has a name", nameless, [])

    # By touch, on a phone.
    browser.open(400, 850, touch=True)
    browser.touch(browser.point(34, 1), browser.point(41, 4))
    made = browser.reservations()[7]
    check("a finger books as well", [made[name] for name in ("ready", "duration", "pes")], [34, 8, 4])
    check("and the page has not scrolled", browser.value("scrollY"), 0)


def main():
    page, stream, *histories = map(Path, sys.argv[1:])
    with tempfile.TemporaryDirectory() as scratch:
        browser = Browser(page, f"{scratch}/profile")
        browser.open(1400, 900)
        replays(browser, stream, histories, Path(scratch))
        visits(browser)
        for width, height in ((1400, 900), (400, 850)):
            for scheme in ("light", "dark"):
                browser.open(width, height, scheme)
                browser.picture(page.parent / f"{width}-{scheme}.png")
        browser.session = None
        browser.ask("Browser.close")
        browser.process.wait(timeout=60)


main()
