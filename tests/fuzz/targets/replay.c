/* The files of a corpus through a target in C, where libFuzzer does not run: on another processor, say. docs/robustness.md has
 * the command. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { LARGEST = 1 << 16 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int main(int argc, char **argv) {
    static uint8_t data[LARGEST];
    uint64_t state = 1;
    int n;
    for (n = 1; n < argc; n++) {
        FILE *file = fopen(argv[n], "rb");
        size_t size;
        if (file == NULL) return 2;
        size = fread(data, 1, LARGEST, file);
        fclose(file);
        LLVMFuzzerTestOneInput(data, size);
        /* And with a hundred changes of a byte. */
        for (int i = 0; size && i < 100; i++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            data[(state >> 33) % size] = (uint8_t)(state >> 56);
            LLVMFuzzerTestOneInput(data, size);
        }
    }
    printf("%d files, each as it is and with a hundred changes: no findings\n", argc - 1);
    return 0;
}
