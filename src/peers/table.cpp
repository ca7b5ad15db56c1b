// The table of peers: those that perpend-peers was built with.
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "peers/peer.hpp"
#include "perpend/host.hpp"
#include "perpend/peers.hpp"

namespace perpend::peers {
namespace {

[[maybe_unused]] constexpr const char* kBullet = "Bullet 3.24";
[[maybe_unused]] constexpr const char* kOde = "DART 6.12 (ODE)";
[[maybe_unused]] constexpr const char* kSiconos = "Siconos 4.4";

const std::vector<PeerInfo>& table() {
  [[maybe_unused]] constexpr Manner kSweeps = Manner::sweeps, kTolerance = Manner::tolerance,
                                    kExact = Manner::exact;
  static const std::vector<PeerInfo> rows = {
#ifdef PERPEND_HAS_BULLET
      {"box/bullet-pgs", "btSolveProjectedGaussSeidel", "Bullet 3.24, BulletDynamics/MLCPSolvers",
       kBullet, kSweeps, true, Work::sweep, "10", 1, true, true},
      {"box/bullet-dantzig", "btDantzigSolver, friction bounds of the call before",
       "Bullet 3.24, BulletDynamics/MLCPSolvers", kBullet, kExact, true, Work::pivot, "1", 3, true,
       true},
      {"box/bullet-lemke", "btLemkeSolver, friction bounds of the call before",
       "Bullet 3.24, BulletDynamics/MLCPSolvers", kBullet, kExact, true, Work::pivot, "10000", 24,
       false, false},
#endif
#ifdef PERPEND_HAS_ODE
      {"box/ode-dantzig", "dSolveLCP, friction bounds of the call before",
       "Open Dynamics Engine, as DART 6.12 keeps it", kOde, kExact, true, Work::pivot, "1", 3, true,
       true},
#endif
#ifdef PERPEND_HAS_SICONOS
      {"ncp/siconos-nsgs", "nonsmooth Gauss-Seidel, damped Newton for one contact",
       "Jourdan, Alart, Jean 1998", kSiconos, kTolerance, false, Work::sweep, "1000", 0, true,
       false},
      {"ncp/siconos-nsgs-full", "nonsmooth Gauss-Seidel, the error in full after each sweep",
       "Jourdan, Alart, Jean 1998", kSiconos, kTolerance, false, Work::sweep, "1000", 0, true,
       false},
      {"ncp/siconos-nsgs-quartic", "nonsmooth Gauss-Seidel, a quartic equation for one contact",
       "Bonnefon, Daviet 2011", kSiconos, kTolerance, false, Work::sweep, "1000", 0, true, false},
      {"ncp/siconos-prox", "proximal point, Newton inside", "Acary, Bremond, Huber 2018", kSiconos,
       kTolerance, false, Work::factorization, "100", 0, true, false},
      {"ncp/siconos-prox-nsgs", "proximal point, nonsmooth Gauss-Seidel inside",
       "Acary, Bremond, Huber 2018", kSiconos, kTolerance, false, Work::sweep, "100", 0, true,
       false},
      {"ncp/siconos-tresca", "fixed point over Tresca's law", "Haslinger 1983", kSiconos,
       kTolerance, false, Work::sweep, "100", 0, true, false},
      {"ncp/siconos-panagiotopoulos", "normal and friction problem in turns",
       "Panagiotopoulos 1975", kSiconos, kTolerance, false, Work::sweep, "100", 0, true, false},
      {"ncp/siconos-aclm", "fixed point over second-order cone problems",
       "Acary, Cadoux, Lemarechal, Malick 2011", kSiconos, kTolerance, false, Work::sweep, "100", 0,
       true, false},
      {"ncp/siconos-nsn", "semismooth Newton, Alart-Curnier", "Alart, Curnier 1991", kSiconos,
       kTolerance, false, Work::factorization, "100", 0, true, false},
      {"ncp/siconos-nsn-hybrid", "semismooth Newton, Alart-Curnier, begun by extragradients",
       "Acary, Bremond, Huber 2018", kSiconos, kTolerance, false, Work::factorization, "100", 0,
       true, false},
      {"ncp/siconos-nsn-fb", "semismooth Newton, Fischer-Burmeister", "Siconos 4.4", kSiconos,
       kTolerance, false, Work::factorization, "100", 0, true, false},
      {"ncp/siconos-nsn-nm", "semismooth Newton, natural map", "Siconos 4.4", kSiconos, kTolerance,
       false, Work::factorization, "100", 0, true, false},
      {"ncp/siconos-fixed-point", "projection with a fixed step", "Siconos 4.4", kSiconos,
       kTolerance, false, Work::sweep, "1000", 0, true, false},
      {"ncp/siconos-extragradient", "extragradient", "Korpelevich 1976", kSiconos, kTolerance,
       false, Work::sweep, "1000", 0, true, false},
      {"ncp/siconos-vi-fixed-point", "projection with an adapted step", "Siconos 4.4", kSiconos,
       kTolerance, false, Work::sweep, "1000", 0, true, false},
      {"ncp/siconos-vi-extragradient", "extragradient with an adapted step", "Khobotov 1987",
       kSiconos, kTolerance, false, Work::sweep, "1000", 0, true, false},
      {"ncp/siconos-admm", "alternating direction method of multipliers", "Boyd et al. 2011",
       kSiconos, kTolerance, false, Work::sweep, "10000", 0, true, false},
      {"lcp/siconos-lemke", "Lemke, lexicographic", "Cottle, Pang, Stone 1992", kSiconos,
       kTolerance, true, Work::pivot, "10000", 2, false, false},
      {"lcp/siconos-rpgs", "regularized projected Gauss-Seidel", "Siconos 4.4", kSiconos,
       kTolerance, true, Work::sweep, "1000", 1, false, false},
      {"lcp/siconos-newton-min-fb", "Newton on min(z, w), line search on Fischer-Burmeister",
       "De Luca, Facchinei, Kanzow 2000", kSiconos, kTolerance, true, Work::factorization, "1000",
       3, false, false},
      {"lcp/siconos-cao-ferris", "pivots of Cao and Ferris", "Cao, Ferris 1996", kSiconos,
       kTolerance, true, Work::pivot, "10000", 4, false, false},
#endif
  };
  return rows;
}

// Beside the running program, unless the environment names another.
std::string program() {
  if (const char* named = std::getenv("PERPEND_PEERS")) return named;
  const std::string folder = host::program_folder();
  return folder.empty() ? folder : folder + "/perpend-peers";
}

}  // namespace

void add_peers() {
  const std::string where = program();
  if (where.empty() || ::access(where.c_str(), X_OK) != 0) return;
  for (const PeerInfo& row : table()) add_solver(solver_info(row, where));
}

bool is_peer(const SolverInfo& info) {
  for (const PeerInfo& row : table())
    if (info.name == row.name && info.origin == row.origin) return true;
  return false;
}

}  // namespace perpend::peers
