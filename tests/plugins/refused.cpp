// Plugins that must not be loaded; REFUSED says which.
#include "perpend/peers/plugin.h"

#define NEWER_ABI 1
#define KNOWN_NAME 2
#define NO_FORMULATION 3
#define SAME_NAME_TWICE 4
#define WRONG_FALLBACK 5
#define NOTHING 6
#define NO_FUNCTION 7

#if REFUSED == NO_FUNCTION
int perpend_something_else;
#else

static void run(const perpend_problem*, const perpend_host*) {}
[[maybe_unused]] static const perpend_option option = {"size", "how large", "100", nullptr, 0, 1};
static const perpend_solver solvers[] = {
    {"box/test-first", "title", "reference", 1, nullptr, 0, run},
#if REFUSED == KNOWN_NAME
    {"box/pgs", "title", "reference", 1, nullptr, 0, run},
#elif REFUSED == NO_FORMULATION
    {"sphere/pgs", "title", "reference", 1, nullptr, 0, run},
#elif REFUSED == SAME_NAME_TWICE
    {"box/test-first", "title", "reference", 1, nullptr, 0, run},
#elif REFUSED == WRONG_FALLBACK
    {"box/test-second", "title", "reference", 1, &option, 1, run},
#else
    {"box/test-second", "title", "reference", 1, &option, 0, run},
#endif
};
static const perpend_plugin_table table = {
    REFUSED == NEWER_ABI ? PERPEND_PLUGIN_ABI + 1 : PERPEND_PLUGIN_ABI, solvers,
    REFUSED == NOTHING ? 0 : 2};

extern "C" const perpend_plugin_table* perpend_plugin() { return &table; }
#endif
