/* The search of arcade/engines/tetromino/kernel.py in C, to compare with in one run; see there for the method.
   Only what recognises a position is of another kind, so that a fault there shows: Zobrist keys, the exclusive
   or of 128 random bits for the value of each byte of the set and 128 for hands and tie flag. 56 bits and the
   number of the entry, of b bits, are compared: two positions that differ match with a chance of 2**-(56 + b).
   The sets are laid out in blocks, one for each symmetry of the board, so that a turned board is the same
   blocks in another order. The one with the smallest block first is looked up.

   gcc -O3 -march=native -o tetromino tetromino.c
   ./tetromino 5x8 22        value of the empty board, with a table of 2**22 entries
   ./tetromino 5x8 22 moves  values of all first moves, from an empty table

   Prints: value, or counts of lost, tied and won moves; processor seconds; positions visited. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef uint64_t u64;
enum { WORDS = 16, BITS = 1024, PLIES = 12, SMALL = 64 };

static int width, height, words, per_block, blocks;
static u64 beside[BITS][WORDS], of_hand[32][WORDS], unique_bits[WORDS], cells[BITS];
static int piece[BITS], block_order[8][8];
static u64 *table, slots, visited;

typedef struct { u64 place, check; } Key;
static Key of_bytes[WORDS * 8][256], of_hands[2048];

static const int shapes[5][4][2] = {
    {{-1, 0}, {0, 0}, {1, 0}, {2, 0}}, {{0, 1}, {0, 0}, {0, -1}, {1, -1}}, {{0, 0}, {1, 0}, {0, 1}, {1, 1}},
    {{-1, 0}, {0, 0}, {0, 1}, {1, 1}}, {{-1, 0}, {0, 0}, {1, 0}, {0, -1}}};

static int lowest(u64 word) { return __builtin_ctzll(word); }
static int popcount(u64 word) { return __builtin_popcountll(word); }
static int min(int a, int b) { return a < b ? a : b; }
static int max(int a, int b) { return a > b ? a : b; }

/* Tables for a board. */

static u64 random_bits(void) { /* splitmix64 of S. Vigna, of 2015 */
    static u64 state = 20261123;
    u64 z = state += 0x9E3779B97F4A7C15ull;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ z >> 27) * 0x94D049BB133111EBull;
    return z ^ z >> 31;
}

static u64 image(int symmetry, u64 mask) {
    u64 turned = 0;
    for (; mask; mask &= mask - 1) {
        int x = lowest(mask) % width, y = lowest(mask) / width;
        if (symmetry & 1) x = width - 1 - x;
        if (symmetry & 2) y = height - 1 - y;
        if (symmetry & 4) { int swap = x; x = y; y = swap; }
        turned |= 1ull << (y * width + x);
    }
    return turned;
}

static int same(int a, int b, int c) { /* is symmetry c symmetry b followed by a? */
    for (int cell = 0; cell < width * height; cell++)
        if (image(a, image(b, 1ull << cell)) != image(c, 1ull << cell)) return 0;
    return 1;
}

static void set_up(void) {
    static u64 mask[BITS];
    static int which[BITS], first[BITS];
    int count = 0, orbits = 0;
    blocks = width == height ? 8 : 4;
    for (Key *each = of_bytes[0]; each < of_bytes[WORDS * 8]; each++) *each = (Key){random_bits(), random_bits()};
    for (int each = 0; each < 2048; each++) of_hands[each] = (Key){random_bits(), random_bits()};
    for (int p = 0; p < 5; p++)
        for (int turn = 0; turn < 8; turn++)
            for (int cell = 0; cell < width * height; cell++) {
                u64 covered = 0;
                for (int each = 0; each < 4; each++) {
                    int x = shapes[p][each][0], y = shapes[p][each][1];
                    if (turn & 4) x = -x;
                    for (int quarter = 0; quarter < (turn & 3); quarter++) { int swap = x; x = y; y = -swap; }
                    x += cell % width;
                    y += cell / width;
                    if (x < 0 || y < 0 || x >= width || y >= height) { covered = 0; break; }
                    covered |= 1ull << (y * width + x);
                }
                for (int each = 0; each < count && covered; each++)
                    if (mask[each] == covered) covered = 0;
                if (covered) { mask[count] = covered; which[count++] = p; }
            }
    for (int each = 0; each < count; each++) {
        int seen = 0;
        for (int earlier = 0; earlier < orbits && !seen; earlier++)
            for (int s = 0; s < blocks; s++) seen |= image(s, mask[first[earlier]]) == mask[each];
        if (!seen) first[orbits++] = each;
    }
    per_block = (orbits + 63) / 64;
    words = blocks * per_block;
    for (int s = 0; s < blocks; s++)
        for (int o = 0; o < orbits; o++) {
            int bit = s * per_block * 64 + o, again = 0;
            cells[bit] = image(s, mask[first[o]]);
            piece[bit] = which[first[o]];
            for (int earlier = 0; earlier < s; earlier++)
                again |= cells[earlier * per_block * 64 + o] == cells[bit];
            if (!again) unique_bits[bit >> 6] |= 1ull << (bit & 63);
            for (int hand = 0; hand < 32; hand++)
                if (hand >> piece[bit] & 1) of_hand[hand][bit >> 6] |= 1ull << (bit & 63);
        }
    for (int a = 0; a < 64 * words; a++)
        for (int b = 0; b < 64 * words; b++)
            if (cells[a] && cells[b] && !(cells[a] & cells[b])) beside[a][b >> 6] |= 1ull << (b & 63);
    for (int turn = 0; turn < blocks; turn++) {
        int moved[8], start = 0;
        for (int g = 0; g < blocks; g++)
            for (int c = 0; c < blocks; c++)
                if (same(turn, g, c)) { moved[g] = c; break; }
        while (moved[start]) start++;
        for (int g = 0; g < blocks; g++) block_order[start][moved[g]] = g;
    }
}

/* What both searches share. */

typedef struct { int mover, other, tie, bound; } State;

static int narrowed(int bound, int held, int against, int tie) {
    if (bound >= 7) return bound <= 12 - min(against, held - 1) ? 7 : bound;
    return bound > min(held, against) ? (tie ? 6 : 7) : bound;
}

static int bound_after(int bound) { return bound >= 6 ? 13 - bound : 14 - bound; }

/* Sets of one word. */

static u64 small_beside[SMALL], small_hand[32], small_cells[SMALL];
static int small_piece[SMALL];

static int small_area(u64 placements) {
    u64 covered = 0;
    for (; placements; placements &= placements - 1) covered |= small_cells[lowest(placements)];
    return popcount(covered);
}

static int search_small(u64 free, State s) {
    u64 mine = free & small_hand[s.mover], theirs = free & small_hand[s.other];
    int held = popcount(s.mover), against = popcount(s.other), moves[SMALL], count = 0;
    visited++;
    if (!mine) return (s.tie && !s.mover && !s.other ? 6 : 0) >= s.bound;
    if (!against) return (s.tie && held == 1 ? 6 : 12) >= s.bound;
    int bound = narrowed(s.bound, held, against, s.tie);
    if (bound <= 1) return 1;
    if (bound >= 7) {
        u64 hits = mine, left = theirs;
        for (; hits && left; left &= left - 1) hits &= ~small_beside[lowest(left)];
        if (hits) return 1;
        if (bound == 12 || (held == 1 && !s.tie)) return 0;
    }
    for (; mine; mine &= mine - 1) {
        int move = lowest(mine);
        int theirs_left = popcount(theirs & small_beside[move]);
        int mine_left = popcount(free & small_beside[move] & small_hand[s.mover & ~(1 << small_piece[move])]);
        moves[count++] = (4 * theirs_left - mine_left + SMALL) << 6 | move;
    }
    for (int begin = 0; begin < count; begin++) {
        int best = begin;
        for (int each = begin + 1; each < count; each++)
            if (moves[each] < moves[best]) best = each;
        int move = moves[best] & 63, fits = 0;
        moves[best] = moves[begin];
        State after = {s.other, s.mover & ~(1 << small_piece[move]), s.tie, bound_after(bound)};
        u64 rest = free & small_beside[move] & small_hand[after.mover | after.other];
        for (int number = 0; number < 5; number++) fits |= (rest & small_hand[1 << number] ? 1 : 0) << number;
        if (after.tie) {
            int h = popcount(after.mover), a = popcount(after.other);
            if ((h != a && h != a + 1) || (after.mover | after.other) & ~fits || small_area(rest) < 4 * (h + a))
                after.tie = 0;
        }
        after.mover &= fits;
        after.other &= fits;
        if (!search_small(rest, after)) return 1;
    }
    return 0;
}

static void number_anew(const u64 *free) {
    int count = 0;
    memset(small_hand, 0, sizeof small_hand);
    for (int word = 0; word < words; word++)
        for (u64 rest = free[word] & unique_bits[word]; rest; rest &= rest - 1) {
            int bit = 64 * word + lowest(rest);
            small_cells[count] = cells[bit];
            small_piece[count] = piece[bit];
            small_hand[1 << piece[bit]] |= 1ull << count++;
        }
    for (int hand = 1; hand < 32; hand++)
        if (hand & (hand - 1)) small_hand[hand] = small_hand[hand & (hand - 1)] | small_hand[hand & -hand];
    for (int each = 0; each < count; each++) {
        u64 clear = 0;
        for (int another = 0; another < count; another++)
            clear |= (u64)!(small_cells[each] & small_cells[another]) << another;
        small_beside[each] = clear;
    }
}

/* Sets of several words, with the table. */

static void lay(const u64 *free, State s, int move, u64 *rest, State *after) {
    int fits = 0;
    *after = (State){s.other, s.mover & ~(1 << piece[move]), s.tie, 0};
    for (int word = 0; word < words; word++)
        rest[word] = free[word] & beside[move][word] & of_hand[after->mover | after->other][word];
    for (int number = 0; number < 5; number++) {
        u64 some = 0;
        for (int word = 0; word < words; word++) some |= rest[word] & of_hand[1 << number][word];
        fits |= (some ? 1 : 0) << number;
    }
    if (after->tie) {
        int h = popcount(after->mover), a = popcount(after->other);
        u64 covered = 0;
        for (int word = 0; word < words; word++)
            for (u64 left = rest[word]; left; left &= left - 1) covered |= cells[64 * word + lowest(left)];
        if ((h != a && h != a + 1) || (after->mover | after->other) & ~fits || popcount(covered) < 4 * (h + a))
            after->tie = 0;
    }
    after->mover &= fits;
    after->other &= fits;
}

static int meets_all(const u64 *free, State s) {
    u64 hits[WORDS], left[WORDS], some = 0;
    for (int word = 0; word < words; word++) {
        hits[word] = free[word] & of_hand[s.mover][word];
        left[word] = free[word] & of_hand[s.other][word];
    }
    for (int more = 1; more;) {
        more = 0;
        for (int word = 0; word < words; word++) {
            if (!left[word]) continue;
            int theirs = 64 * word + lowest(left[word]);
            left[word] &= left[word] - 1;
            more = 1;
            some = 0;
            for (int each = 0; each < words; each++) some |= hits[each] &= ~beside[theirs][each];
            if (!some) return 0;
        }
    }
    return 1;
}

static Key key_of(const u64 *free, State s) {
    int first = 0;
    u64 smallest = ~0ull;
    for (int block = 0; block < blocks; block++) {
        u64 mixed = 0;
        for (int word = block * per_block; word < (block + 1) * per_block; word++)
            mixed = (mixed ^ free[word]) * 0x9E3779B97F4A7C15ull;
        if (mixed < smallest) { first = block; smallest = mixed; }
    }
    Key key = of_hands[s.mover | s.other << 5 | s.tie << 10];
    for (int word = 0; word < words; word++) {
        u64 set = free[block_order[first][word / per_block] * per_block + word % per_block];
        for (int byte = 0; byte < 8; byte++, set >>= 8) {
            key.place ^= of_bytes[8 * word + byte][set & 255].place;
            key.check ^= of_bytes[8 * word + byte][set & 255].check;
        }
    }
    return key;
}

static int search(const u64 *free, State s) {
    int held = popcount(s.mover), against = popcount(s.other), count = 0, answer = 0;
    u64 anything = 0;
    visited++;
    for (int word = 0; word < words; word++) anything |= free[word] & of_hand[s.mover][word];
    if (!anything) return (s.tie && !s.mover && !s.other ? 6 : 0) >= s.bound;
    if (!against) return (s.tie && held == 1 ? 6 : 12) >= s.bound;
    int bound = narrowed(s.bound, held, against, s.tie);
    if (bound <= 1) return 1;
    if (bound >= 7) {
        if (meets_all(free, s)) return 1;
        if (bound == 12 || (held == 1 && !s.tie)) return 0;
    }
    Key key = key_of(free, s);
    u64 *slot = table + (key.place & slots), entry = *slot;
    if ((entry ^ key.check) >> 8 == 0) {
        if ((int)(entry & 15) >= bound) return 1;
        if ((int)(entry >> 4 & 15) < bound) return 0;
    }
    for (int word = 0; word < words; word++) count += popcount(free[word] & unique_bits[word]);
    if (count <= SMALL) {
        number_anew(free);
        State small = {s.mover, s.other, s.tie, bound};
        answer = search_small(count == 64 ? ~0ull : (1ull << count) - 1, small);
        visited--;
    } else {
        int moves[BITS];
        count = 0;
        for (int word = 0; word < words; word++)
            for (u64 rest = free[word] & of_hand[s.mover][word] & unique_bits[word]; rest; rest &= rest - 1) {
                int move = 64 * word + lowest(rest), theirs_left = 0, mine_left = 0;
                const u64 *after = of_hand[s.mover & ~(1 << piece[move])];
                for (int each = 0; each < words; each++) {
                    u64 clear = free[each] & beside[move][each];
                    theirs_left += popcount(clear & of_hand[s.other][each]);
                    mine_left += popcount(clear & after[each]);
                }
                moves[count++] = (4 * theirs_left - mine_left + 64 * words) << 10 | move;
            }
        for (int begin = 0; begin < count && !answer; begin++) {
            int best = begin;
            u64 rest[WORDS];
            State after;
            for (int each = begin + 1; each < count; each++)
                if (moves[each] < moves[best]) best = each;
            int move = moves[best] & 1023;
            moves[best] = moves[begin];
            lay(free, s, move, rest, &after);
            after.bound = bound_after(bound);
            answer = !search(rest, after);
        }
    }
    int least = 0, most = 15;
    entry = *slot;
    if ((entry ^ key.check) >> 8 == 0) { least = entry & 15; most = entry >> 4 & 15; }
    if (answer) least = max(least, bound == 7 ? 12 - min(against, held - 1) : bound);
    else if (bound == 7 && s.tie) most = min(most, 6);
    else most = min(most, bound == 6 || bound == 7 ? min(held, against) : bound - 1);
    *slot = (key.check & ~255ull) | most << 4 | least;
    return answer;
}

static int value(const u64 *free, State s) { /* -1 loss, 0 tie, 1 win */
    s.bound = 6;
    if (!search(free, s)) return -1;
    s.bound = 7;
    return search(free, s);
}

int main(int count, char **arguments) {
    if (count < 3 || sscanf(arguments[1], "%dx%d", &width, &height) != 2) return 2;
    set_up();
    slots = (1ull << atoi(arguments[2])) - 1;
    table = calloc(slots + 1, sizeof *table);
    u64 *free = of_hand[31];
    State start = {31, 31, width * height >= 40, 0};
    clock_t started = clock();
    if (count == 3) {
        int found = value(free, start);
        printf("%s", found < 0 ? "loss" : found ? "win" : "tie");
    } else {
        int found[3] = {0, 0, 0};
        for (int o = 0; o < 64 * per_block; o++) {
            u64 rest[WORDS];
            State after;
            int images = 0;
            if (!cells[o]) continue;
            lay(free, start, o, rest, &after);
            for (int s = 0; s < blocks; s++) {
                int bit = s * per_block * 64 + o;
                images += unique_bits[bit >> 6] >> (bit & 63) & 1;
            }
            found[1 - value(rest, after)] += images;
        }
        printf("%d,%d,%d", found[0], found[1], found[2]);
    }
    printf(" %.6f %llu\n", (double)(clock() - started) / CLOCKS_PER_SEC, (unsigned long long)visited);
    return 0;
}
