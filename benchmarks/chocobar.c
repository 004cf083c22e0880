/* Every bar of Chomp in a box, in the order of rank: the measure of the arcade's own kernels.
 *
 *   chocobar plies ROWS COLUMNS    value and remoteness, a byte for each bar
 *   chocobar bits  ROWS COLUMNS    values alone, a bit for each bar: the ranked bitset
 *
 * prints the number of lost bars, a checksum, the seconds taken, and the remoteness of the full bar (or 0).
 * The rank of a bar and the order of the pass are those of arcade/engines/chocobar/kernel.py; the first program
 * is the same method as solve_remoteness, the second one marks every won bar, as the arcade's solve_values no
 * longer does.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST = 18 };

/* terms[i][length]: what row i adds to the rank when it has so many squares. */
static int64_t terms[MOST][MOST + 2];
static int rows, columns;
static int64_t total;
static uint8_t *plies;
static uint64_t *won;

static void make_terms(void) {
    for (int i = rows - 1; i >= 0; i--) {
        terms[i][0] = 0;
        for (int length = 1; length <= columns + 1; length++)
            terms[i][length] = terms[i][length - 1] + (i == rows - 1 ? 1 : terms[i + 1][length]);
    }
}

static inline int64_t term(int i, int length) { return terms[i][length]; }

static void unrank(int64_t rank, int *a) {
    int top = columns;
    for (int i = 0; i < rows; i++) {
        while (term(i, top) > rank) top--;
        a[i] = top;
        rank -= term(i, top);
    }
}

static int longest_resistance(int64_t rank, const int *a) {
    int longest = 0, end = rows;
    for (int column = 0; column < a[0]; column++) {
        while (end && a[end - 1] <= column) end--;
        int64_t child = rank;
        for (int i = end - 1; i >= 0; i--) {
            child += term(i, column) - term(i, a[i]);
            if (child && plies[child] > longest) longest = plies[child];
        }
    }
    return longest;
}

static inline void mark_plies(int64_t parent, int mark) {
    if ((uint8_t)(plies[parent] - 1) >= mark) plies[parent] = (uint8_t)mark;
}

static inline void mark_won(int64_t parent) { won[parent >> 6] |= (uint64_t)1 << (parent & 63); }

/* Mark all bars in which one run of equal rows, above row STOP, is as long as here or longer, up to the row
 * above it. */
#define MARK_PARENTS(STOP, MARK)                                                          \
    for (int first = 0, last; first < (STOP); first = last + 1) {                         \
        int length = a[first], cap = first ? a[first - 1] : columns, x[MOST];             \
        for (last = first; last + 1 < rows && a[last + 1] == length; last++) {}           \
        if (cap == length) continue;                                                      \
        for (int i = first; i < last; i++) x[i] = length;                                 \
        int64_t at = rank;                                                                \
        for (;;) {                                                                        \
            int limit = last == first ? cap : x[last - 1];                                \
            int64_t lowest = at - term(last, length);                                     \
            for (int longer = length; longer <= limit; longer++) {                        \
                int64_t parent = lowest + term(last, longer);                             \
                MARK;                                                                     \
            }                                                                             \
            int i = last - 1;                                                             \
            for (; i >= first && x[i] == (i == first ? cap : x[i - 1]); i--) {            \
                at += term(i, length) - term(i, x[i]);                                    \
                x[i] = length;                                                            \
            }                                                                             \
            if (i < first) break;                                                         \
            at += term(i, x[i] + 1) - term(i, x[i]);                                      \
            x[i]++;                                                                       \
        }                                                                                 \
    }

static int64_t solve_plies(uint64_t *checksum) {
    const uint64_t ones = 0x0101010101010101u, highs = 0x8080808080808080u;
    int64_t lost = 0;
    int a[MOST];
    plies[0] = 255;
    for (int64_t word = 0; word * 8 < total; word++) {
        uint64_t eight;
        memcpy(&eight, plies + word * 8, 8);
        if (!((eight - ones) & ~eight & highs)) continue;
        for (int64_t rank = word * 8; rank < word * 8 + 8 && rank < total; rank++) {
            if (plies[rank]) continue;
            unrank(rank, a);
            int mine = rank > 1 ? longest_resistance(rank, a) + 1 : 0;
            /* Empty rows at the end: all that have the same rows above follow each other in rank. */
            int filled = rows;
            while (!a[filled - 1]) filled--;
            if (filled < rows) {
                int64_t end = rank + terms[filled][a[filled - 1] + 1];
                for (int64_t parent = rank + 1; parent < end; parent++) mark_plies(parent, mine + 1);
            }
            MARK_PARENTS(filled, mark_plies(parent, mine + 1))
            plies[rank] = (uint8_t)mine;
            lost++;
            *checksum = *checksum * 31 + (uint64_t)rank;
        }
    }
    return lost;
}

static int64_t solve_bits(uint64_t *checksum) {
    int64_t lost = 0;
    int a[MOST];
    won[0] = 1;
    for (int64_t word = 0; word * 64 < total; word++) {
        while (~won[word]) {
            int64_t rank = word * 64 + __builtin_ctzll(~won[word]);
            if (rank >= total) break;
            unrank(rank, a);
            MARK_PARENTS(rows, mark_won(parent))
            mark_won(rank);
            lost++;
            *checksum = *checksum * 31 + (uint64_t)rank;
        }
    }
    return lost;
}

int main(int argc, char **argv) {
    if (argc != 4) {
        fprintf(stderr, "usage: chocobar plies|bits ROWS COLUMNS\n");
        return 2;
    }
    rows = atoi(argv[2]);
    columns = atoi(argv[3]);
    if (rows < 1 || columns < 1 || rows > MOST || columns > MOST) {
        fprintf(stderr, "rows and columns must be 1 to %d\n", MOST);
        return 2;
    }
    make_terms();
    total = terms[0][columns + 1];
    int with_plies = !strcmp(argv[1], "plies");
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    plies = with_plies ? calloc((size_t)total + 8, 1) : NULL;
    won = with_plies ? NULL : calloc((size_t)total / 64 + 1, 8);
    if (!plies && !won) {
        fprintf(stderr, "not enough memory\n");
        return 1;
    }
    uint64_t checksum = 0;
    int64_t lost = with_plies ? solve_plies(&checksum) : solve_bits(&checksum);
    clock_gettime(CLOCK_MONOTONIC, &end);
    double seconds = (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec);
    int full = with_plies ? plies[total - 1] : 0;
    printf("%lld %llu %.6f %d\n", (long long)lost, (unsigned long long)checksum, seconds, full);
    return 0;
}
