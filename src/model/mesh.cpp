// OBJ: the lines `v` and `f`, polygons as fans, negative indices from the end. STL: text, or 80
// bytes, a count and 50 bytes per triangle.
#include "model/mesh.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <map>
#include <numeric>

#include "perpend/io.hpp"

namespace perpend::model {
namespace {

constexpr std::size_t kMostTriangles = 5'000'000;

[[noreturn]] void refuse(const std::string& where, long line, const std::string& why) {
  throw io::InputError(Place{where, static_cast<int>(line)}.words() + ": " + why);
}

// The words of a line.
class Words {
 public:
  explicit Words(std::string_view line) : rest_(line) {}
  std::string_view next() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r"), rest_.size()));
    const std::string_view word = rest_.substr(0, rest_.find_first_of(" \t\r"));
    rest_.remove_prefix(word.size());
    return word;
  }

 private:
  std::string_view rest_;
};

bool number(std::string_view word, double& out) {
  if (word.starts_with('+')) word.remove_prefix(1);
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), out);
  if (error == std::errc::result_out_of_range) out = 0;
  return (error == std::errc() || error == std::errc::result_out_of_range) && !word.empty() &&
         end == word.data() + word.size() && std::isfinite(out);
}

Vector3d vertex(Words& words, const std::string& where, long line) {
  Vector3d out;
  for (int k = 0; k < 3; ++k)
    if (!number(words.next(), out[k])) refuse(where, line, "a vertex is not three numbers");
  return out;
}

// The vertex of "7", "7/1", "7//2", "-1/..."; counted from 0.
Index corner(std::string_view word, Index vertices, const std::string& where, long line) {
  word = word.substr(0, word.find('/'));
  long long given = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), given);
  const bool whole = error == std::errc() && end == word.data() + word.size();
  const long long index = given < 0 ? vertices + given : given - 1;
  if (!whole || given == 0 || index < 0 || index >= vertices)
    refuse(where, line,
           "a face has the vertex '" + std::string(word.substr(0, 20)) + "' of " +
               std::to_string(vertices));
  return static_cast<Index>(index);
}

template <class Take>
void each_line(const std::string& text, const Take& take) {
  long line = 0;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    take(std::string_view(text).substr(from, end - from), ++line);
    from = end + 1;
  }
}

Mesh read_binary_stl(const std::string& bytes, const std::string& where) {
  constexpr std::size_t kHead = 84, kEach = 50;
  if (bytes.size() < kHead) refuse(where, 0, "is shorter than the head of an STL file");
  std::uint32_t count = 0;
  std::memcpy(&count, bytes.data() + 80, sizeof count);
  const std::size_t there = (bytes.size() - kHead) / kEach;
  if (count > there)
    refuse(where, 0,
           "claims " + std::to_string(count) + " triangles, and has bytes for " +
               std::to_string(there));
  if (count > kMostTriangles)
    refuse(where, 0, "has " + std::to_string(count) + " triangles; at most 5000000 are read");
  Mesh out;
  for (std::uint32_t i = 0; i < count; ++i) {
    float numbers[9];
    std::memcpy(numbers, bytes.data() + kHead + i * kEach + 12, sizeof numbers);
    std::array<Index, 3> triangle{};
    for (int c = 0; c < 3; ++c) {
      const Vector3d point(numbers[3 * c], numbers[3 * c + 1], numbers[3 * c + 2]);
      if (!point.allFinite())
        refuse(where, 0, "triangle " + std::to_string(i) + " has a corner that is not finite");
      triangle[static_cast<std::size_t>(c)] = static_cast<Index>(out.points.size());
      out.points.push_back(point);
    }
    out.triangles.push_back(triangle);
  }
  return out;
}

Mesh read_text_stl(const std::string& text, const std::string& where) {
  Mesh out;
  std::size_t corners = 0;
  each_line(text, [&](std::string_view all, long line) {
    Words words(all);
    for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
      if (word == "vertex") {
        out.points.push_back(vertex(words, where, line));
        ++corners;
      } else if (word == "endloop") {
        if (corners != 3)
          refuse(where, line, "a facet has " + std::to_string(corners) + " corners");
        const Index first = static_cast<Index>(out.points.size()) - 3;
        out.triangles.push_back({first, first + 1, first + 2});
        if (out.triangles.size() > kMostTriangles)
          refuse(where, line, "more than 5000000 triangles");
        corners = 0;
      }
    }
  });
  if (corners != 0) refuse(where, 0, "ends inside a facet");
  return out;
}

}  // namespace

Mesh read_obj(const std::string& text, const std::string& where) {
  Mesh out;
  std::vector<std::pair<Index, long>> later;
  each_line(text, [&](std::string_view all, long line) {
    Words words(all);
    const std::string_view what = words.next();
    if (what == "v") {
      out.points.push_back(vertex(words, where, line));
    } else if (what == "f") {
      const Index count = static_cast<Index>(out.points.size());
      std::vector<Index> face;
      for (std::string_view word = words.next(); !word.empty(); word = words.next())
        face.push_back(corner(word, count, where, line));
      if (face.size() < 3) refuse(where, line, "a face has fewer than three vertices");
      for (std::size_t i = 2; i < face.size(); ++i)
        out.triangles.push_back({face[0], face[i - 1], face[i]});
      if (out.triangles.size() > kMostTriangles) refuse(where, line, "more than 5000000 triangles");
    }
  });
  if (out.triangles.empty()) refuse(where, 0, "has no faces");
  return out;
}

Mesh read_stl(const std::string& bytes, const std::string& where) {
  // Binary files may begin with "solid" too; what a text has in sight is a facet.
  std::uint32_t count = 0;
  if (bytes.size() >= 84) std::memcpy(&count, bytes.data() + 80, sizeof count);
  const bool exact = bytes.size() >= 84 && bytes.size() == 84 + std::size_t{50} * count;
  const bool text = !exact && bytes.compare(0, 5, "solid") == 0 &&
                    std::find(bytes.begin(), bytes.end(), '\0') == bytes.end();
  Mesh out = text ? read_text_stl(bytes, where) : read_binary_stl(bytes, where);
  if (out.triangles.empty()) refuse(where, 0, "has no triangles");
  return out;
}

Mesh joined(const Mesh& mesh) {
  const std::size_t n = mesh.points.size();
  std::vector<Index> order(n);
  std::iota(order.begin(), order.end(), 0);
  const auto at = [&](Index i) -> const Vector3d& {
    return mesh.points[static_cast<std::size_t>(i)];
  };
  const auto less = [&](Index a, Index b) {
    const Vector3d &p = at(a), &q = at(b);
    return std::lexicographical_compare(p.data(), p.data() + 3, q.data(), q.data() + 3);
  };
  std::stable_sort(order.begin(), order.end(), less);
  Mesh out;
  std::vector<Index> place(n);
  for (std::size_t i = 0; i < n; ++i) {
    if (i == 0 || at(order[i]) != at(order[i - 1])) out.points.push_back(at(order[i]));
    place[static_cast<std::size_t>(order[i])] = static_cast<Index>(out.points.size()) - 1;
  }
  for (const auto& corners : mesh.triangles) {
    std::array<Index, 3> now{};
    for (std::size_t c = 0; c < 3; ++c) now[c] = place[static_cast<std::size_t>(corners[c])];
    if (now[0] != now[1] && now[1] != now[2] && now[2] != now[0]) out.triangles.push_back(now);
  }
  return out;
}

Index open_edges(const Mesh& mesh) {
  std::map<std::pair<Index, Index>, std::pair<Index, Index>> edges;  // forwards, backwards
  for (const auto& corners : mesh.triangles)
    for (std::size_t c = 0; c < 3; ++c) {
      const Index a = corners[c], b = corners[(c + 1) % 3];
      std::pair<Index, Index>& found = edges[std::minmax(a, b)];
      ++(a < b ? found.first : found.second);
    }
  return std::count_if(edges.begin(), edges.end(), [](const auto& edge) {
    return edge.second.first != 1 || edge.second.second != 1;
  });
}

std::vector<Vector3d> hull_corners(const std::vector<Vector3d>& points, Index most, double& off) {
  off = 0;
  std::vector<bool> used(points.size(), false);
  const std::vector<std::array<Index, 3>> triangles = hull_triangles(points);
  if (triangles.empty()) return {};
  for (const auto& corners : triangles)
    for (const Index corner : corners) used[static_cast<std::size_t>(corner)] = true;
  std::vector<Vector3d> corners;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (used[i]) corners.push_back(points[i]);
  if (static_cast<Index>(corners.size()) <= most) return corners;
  // The farthest from those kept is kept next (Gonzalez 1985).
  std::vector<double> distance(corners.size(), std::numeric_limits<double>::infinity());
  std::vector<Vector3d> kept;
  std::size_t next = 0;
  while (static_cast<Index>(kept.size()) < most) {
    kept.push_back(corners[next]);
    for (std::size_t i = 0; i < corners.size(); ++i)
      distance[i] = std::min(distance[i], (corners[i] - kept.back()).norm());
    next = static_cast<std::size_t>(std::max_element(distance.begin(), distance.end()) -
                                    distance.begin());
  }
  off = distance[next];
  return kept;
}

std::vector<Vector3d> ellipsoid(const Vector3d& half) {
  constexpr int kPoints = 200;
  std::vector<Vector3d> out;
  const double golden = M_PI * (3 - std::sqrt(5.0));
  for (int i = 0; i < kPoints; ++i) {
    const double z = 1 - 2 * (i + 0.5) / kPoints, r = std::sqrt(1 - z * z);
    out.push_back(
        half.cwiseProduct(Vector3d(r * std::cos(golden * i), r * std::sin(golden * i), z)));
  }
  return out;
}

}  // namespace perpend::model
