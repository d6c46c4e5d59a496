/* What a library that is not optimised asks for: the linker finds calls in it that the optimiser shows never to happen. */
#include <stdio.h>
#include <stdlib.h>

void a_bookahead_function_can_panic(void);
void rust_eh_personality(void);

void a_bookahead_function_can_panic(void) {
    fputs("a function of the library has panicked\n", stderr);
    abort();
}

/* Named by the compiled `core`, for unwinding, which nothing does. */
void rust_eh_personality(void) {
    abort();
}
