/* The scanner of lines against a loop over bytes, in memory that ends where the input ends. docs/robustness.md says how to run it. */
#include <stdlib.h>

#include "fastparse/corpus/conllu/scanning.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    FastparseScanner scanner;
    int64_t begin, length, at, expected;
    uint8_t *copy;
    int high = 0;
    if (size < 1) return 0;
    begin = data[0] % 70;
    length = (int64_t)size - 1;
    if (begin > length) begin = length;
    copy = malloc((size_t)length + (length == 0));
    if (copy == NULL) return 0;
    memcpy(copy, data + 1, (size_t)length);
    fastparse_scanner_start(&scanner, copy, begin, length);
    for (expected = begin; expected <= length; expected++) {
        if (expected < length && copy[expected] >= 0x80) high = 1;
        if (expected < length && copy[expected] != '\t' && copy[expected] != '\n') continue;
        at = fastparse_scanner_next(&scanner);
        if (at != expected) abort();
    }
    if (length > begin && scanner.high != high) abort();
    free(copy);
    return 0;
}
