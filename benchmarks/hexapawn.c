/* Hexapawn's full boards in C, by the method of arcade/engines/hexapawn/kernel.py: the reference for its speed.
 *
 *   hexapawn ROWS COLUMNS BUCKET_BITS [IDEAS]   prints value, positions visited, seconds
 *
 * The same null-window search, bounds, order of moves and table, written as a recursion. It asks who wins and
 * then for ever shorter wins or quicker losses, until the value is known. IDEAS is a word of letters, one for
 * each idea that is used; without the argument all are:
 *
 *   l  limits by the rows before the foremost pawns and by the pawns that can step
 *   t  steps to the last row that cannot be prevented
 *   r  runners: pawns with no pawn before them in three columns
 *   m  mirror images share an entry (what is seen from the other side always does)
 *   o  steps of pawns that stay back first, and few captures in reply (else the foremost pawn first; captures
 *      come before steps in any case)
 *
 * With w in the word it stops when it is proved who wins, and prints 1 or -1. What is known of the score after
 * each search goes to standard error: 255 - n is a win in n + 1 moves of one's own, n a loss in n.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef uint64_t u64;
enum { WON = 128, HIGHEST = 255 };

static int rows, columns, squares, bits, per_row;
static int limits, threats, runners, mirrors, ordered;
static u64 first_row, row_before_last, first_column, last_column;
static u64 *table;
static u64 visited;

typedef struct { u64 own, opp, own_mirrored, opp_mirrored; } View;

static inline int lowest(u64 x) { return __builtin_ctzll(x); }
static inline int highest(u64 x) { return 63 - __builtin_clzll(x); }
static inline int count(u64 x) { return __builtin_popcountll(x); }
static inline u64 bit(int square) { return 1ULL << square; }

static inline int row_of(int square) { return square * per_row >> 16; }

static inline u64 mixed(u64 own, u64 opp) {
    u64 key = own ^ opp * 0x9E3779B97F4A7C15ULL;
    key = (key ^ key >> 32) * 0xD6E8FEB86659FD93ULL;
    key = (key ^ key >> 32) * 0xD6E8FEB86659FD93ULL;
    return key ^ key >> 32;
}

static inline int look_up(u64 own, u64 opp) {
    u64 key = mixed(own, opp), rest = key << bits, *entry = table + (key >> (64 - bits) << 3);
    for (int i = 0; i < 8; i += 2)
        if (entry[i + 1] == opp && (entry[i] ^ rest) >> bits == 0) return entry[i] & 0xFFFF;
    return 0xFF00;
}

static void keep(u64 own, u64 opp, int low, int high, u64 spent) {
    u64 key = mixed(own, opp), rest = key << bits, *entry = table + (key >> (64 - bits) << 3);
    int most = (1 << (bits - 16)) - 1, effort = highest(spent) + 1, place = 0, least = 99;
    if (most > 31) most = 31;
    if (effort > most) effort = most;
    for (int i = 0; i < 8; i += 2) {
        if (entry[i + 1] == opp && (entry[i] ^ rest) >> bits == 0) {
            int known_low = entry[i] & 255, known_high = entry[i] >> 8 & 255;
            if (known_low > low) low = known_low;
            if (known_high < high) high = known_high;
            int spent = entry[i] >> 16 & most;
            if (spent > effort) effort = spent;
            place = i;
            break;
        }
        if (entry[i + 1] == 0) { place = i; break; }
        int other = entry[i] >> 16 & most;
        if (other < least) { least = other; place = i; }
    }
    entry[place] = rest | (u64)effort << 16 | (u64)high << 8 | (u64)low;
    entry[place + 1] = opp;
}

static inline u64 aside(u64 x) { return x | (x & ~first_column) >> 1 | (x & ~last_column) << 1; }

static inline u64 below(u64 x) {
    x >>= columns;
    for (int by = columns; by < squares; by += by) x |= x >> by;
    return x;
}

static inline u64 above(u64 x) {
    x <<= columns;
    for (int by = columns; by < squares; by += by) x |= x << by;
    return x;
}

static inline void ways_of(u64 own, u64 opp, u64 ways[3]) {
    ways[0] = own & ~first_column & opp >> (columns - 1);
    ways[1] = own & ~last_column & opp >> (columns + 1);
    ways[2] = own & ~((own | opp) >> columns);
}

static inline int min(int a, int b) { return a < b ? a : b; }
static inline int max(int a, int b) { return a > b ? a : b; }

static inline int bounds(u64 own, u64 opp, const u64 ways[3]) {
    u64 all = ways[0] | ways[1] | ways[2];
    if (!all) return 0x0000;
    if (all & row_before_last || !opp) return 0xFFFF;
    u64 occupied = own | opp, enemy_steps = opp & ~(occupied << columns);
    int need = rows - 1 - row_of(highest(own)), enemy_need = row_of(lowest(opp));
    int low = 0, high = HIGHEST;
    if (threats && enemy_need == 1) {
        u64 steps = enemy_steps & first_row << columns;
        u64 captured = ways[0] << (columns - 1) | ways[1] << (columns + 1);
        if (steps & (steps - 1) || steps & ~captured) return 0x0101;
    }
    if (limits) {
        high = 255 - min(need - 1, count(enemy_steps) >> 1);
        low = min(enemy_need, (count(ways[2]) + 1) >> 1);
    }
    if (runners) {
        u64 running = own & ~aside(below(occupied));
        if (running) {
            int run = rows - 1 - row_of(highest(running));
            low = max(low, enemy_need >= run ? 256 - run : enemy_need);
        }
        running = opp & ~aside(above(occupied));
        if (running) {
            int run = row_of(lowest(running));
            high = min(high, need > run ? run : 256 - need);
        }
    }
    return high << 8 | low;
}

static inline int before(int score) { return score >= WON ? 256 - score : 255 - score; }

/* Whether the score is at least target; lowest and highest possible scores come in and go out through `known`. */
static int search(const View *mover, const View *other, int target, int *known) {
    visited++;
    u64 own = mover->own, opp = mover->opp;
    if (mirrors && (mover->own_mirrored < own || (mover->own_mirrored == own && mover->opp_mirrored < opp)))
        own = mover->own_mirrored, opp = mover->opp_mirrored;
    int entry = look_up(own, opp), low = max(*known & 255, entry & 255), high = min(*known >> 8, entry >> 8);
    *known = high << 8 | low;
    if (low >= target) return low;
    if (high < target) return high;
    u64 began = visited;
    int reply_target = (target >= WON ? 256 : 257) - target, best = -1, listed = 0;
    int64_t moves[200];
    u64 ways[3];
    ways_of(mover->own, mover->opp, ways);
    static const int to_side[3] = {-1, 1, 0};
    for (int way = 0; way < 3; way++) {
        for (u64 origins = ways[way]; origins && best < target; origins &= origins - 1) {
            int square = lowest(origins), to = square + columns + to_side[way], top = squares - 1;
            u64 reply_own = other->own & ~bit(top - to);
            u64 reply_opp = other->opp ^ bit(top - square) ^ bit(top - to);
            u64 replies[3];
            ways_of(reply_own, reply_opp, replies);
            int after = bounds(reply_own, reply_opp, replies);
            if ((after & 255) >= reply_target) best = max(best, before(after & 255));
            else if (after >> 8 < reply_target) best = max(best, before(after >> 8));
            else {
                int64_t order = 512 + (way < 2 ? 1024 : 0);
                order += ordered ? -row_of(to) - 2 * (count(replies[0]) + count(replies[1])) : row_of(to);
                int place = listed++;
                for (; place > 0 && moves[place - 1] >> 32 < order; place--) moves[place] = moves[place - 1];
                moves[place] = order << 32 | (int64_t)after << 16 | way << 8 | square;
            }
        }
    }
    for (int i = 0; i < listed && best < target; i++) {
        int square = moves[i] & 255, to = square + columns + to_side[moves[i] >> 8 & 255], top = squares - 1;
        int mirrored = columns - 1 + 2 * columns * row_of(square) - square;
        int to_mirrored = columns - 1 + 2 * columns * row_of(to) - to;
        View next = {
            other->own & ~bit(top - to), other->opp ^ bit(top - square) ^ bit(top - to),
            other->own_mirrored & ~bit(top - to_mirrored),
            other->opp_mirrored ^ bit(top - mirrored) ^ bit(top - to_mirrored)};
        View back = {
            mover->own ^ bit(square) ^ bit(to), mover->opp & ~bit(to),
            mover->own_mirrored ^ bit(mirrored) ^ bit(to_mirrored), mover->opp_mirrored & ~bit(to_mirrored)};
        int after = moves[i] >> 16 & 0xFFFF;
        best = max(best, before(search(&next, &back, reply_target, &after)));
    }
    if (best >= target) best = low = max(low, best);
    else best = high = min(high, best);
    keep(own, opp, low, high, visited - began + 1);
    *known = high << 8 | low;
    return best;
}

int main(int argc, char **argv) {
    if (argc < 4) return 2;
    rows = atoi(argv[1]), columns = atoi(argv[2]), bits = atoi(argv[3]), squares = rows * columns;
    per_row = (1 << 16) / columns + 1;
    const char *ideas = argc > 4 ? argv[4] : "ltrmo";
    limits = !!strchr(ideas, 'l'), threats = !!strchr(ideas, 't'), runners = !!strchr(ideas, 'r');
    mirrors = !!strchr(ideas, 'm'), ordered = !!strchr(ideas, 'o');
    int winner = !!strchr(ideas, 'w');
    first_row = bit(columns) - 1, row_before_last = first_row << (rows - 2) * columns;
    for (int row = 0; row < rows; row++) first_column |= bit(row * columns);
    last_column = first_column << (columns - 1);
    table = aligned_alloc(64, 64ULL << bits);
    if (!table) return 1;
    memset(table, 0, 64ULL << bits);
    View view = {first_row, first_row << (rows - 1) * columns, first_row, first_row << (rows - 1) * columns};
    struct timespec from, to;
    clock_gettime(CLOCK_MONOTONIC, &from);
    u64 ways[3];
    ways_of(view.own, view.opp, ways);
    int known = bounds(view.own, view.opp, ways);
    int decided = 0;
    while ((known & 255) < known >> 8 && !decided) {
        int low = known & 255, high = known >> 8;
        search(&view, &view, low >= WON ? low + 1 : high < WON ? high : WON, &known);
        decided = winner && ((known & 255) >= WON || known >> 8 < WON);
        fprintf(stderr, "%d to %d after %llu\n", known & 255, known >> 8, (unsigned long long)visited);
    }
    clock_gettime(CLOCK_MONOTONIC, &to);
    int score = known & 255, value = score >= WON ? 2 * (HIGHEST - score) + 1 : -2 * score;
    double seconds = to.tv_sec - from.tv_sec + (to.tv_nsec - from.tv_nsec) * 1e-9;
    if (decided) value = score >= WON ? 1 : -1;
    printf("%d %llu %.6f\n", value, (unsigned long long)visited, seconds);
    return 0;
}
