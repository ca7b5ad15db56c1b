#include "view/access.hpp"

#include <algorithm>

namespace perpend::view {
namespace {

// Takes as long for every text of that length.
bool same(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    difference |=
        static_cast<unsigned>(static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]));
  return difference == 0;
}

}  // namespace

std::vector<std::string> host_names(const std::string& address, bool loopback, std::uint16_t port,
                                    const std::string& machine) {
  std::vector<std::string> bare{address.find(':') == std::string::npos ? address
                                                                       : "[" + address + "]"};
  if (loopback)
    bare.emplace_back("localhost");
  else if (!machine.empty())
    bare.push_back(machine);
  std::vector<std::string> out;
  for (const std::string& name : bare) {
    out.push_back(name + ":" + std::to_string(port));
    if (port == 80) out.push_back(name);
  }
  return out;
}

Access access(const Request& request, const std::vector<std::string>& hosts,
              std::string_view token) {
  using To = Access::To;
  const auto known = [&](std::string_view host) {
    return std::find(hosts.begin(), hosts.end(), host) != hosts.end();
  };
  constexpr std::string_view kScheme = "http://", kQuery = "?token=";
  if (request.method != "GET" && request.method != "HEAD")
    return {To::nothing, 405, "only GET is answered here"};
  if (!known(request.host))
    return {To::nothing, 403, "this server is not called what Host says: use the address printed"};
  if (request.origin &&
      !(request.origin->starts_with(kScheme) && known(request.origin->substr(kScheme.size()))))
    return {To::nothing, 403, "a page of somebody else asks"};
  const std::size_t query = std::min(request.target.find(kQuery), request.target.size());
  const std::string_view path = request.target.substr(0, query);
  if (path != "/" && path != "/socket") return {To::nothing, 404, "there is nothing here"};
  const std::string_view given =
      query < request.target.size() ? request.target.substr(query + kQuery.size()) : "";
  if (!same(given, token))
    return {To::nothing, 403, "the token is missing or old: use the address printed"};
  if (path == "/")
    return request.upgrade ? Access{To::nothing, 400, "the socket is at /socket"}
                           : Access{To::page, 200, ""};
  if (!request.upgrade) return {To::nothing, 426, "this is for a WebSocket"};
  if (!request.origin) return {To::nothing, 403, "Origin is missing"};
  return {To::socket, 101, ""};
}

}  // namespace perpend::view
