// Draws a built-in scene as it starts and writes it to a file.
#include <cstdio>
#include <fstream>
#include <perpend/draw.hpp>

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s SCENE PICTURE.png\n", argv[0]);
    return 2;
  }
  std::string why;
  const std::optional<perpend::Scene> scene = perpend::scene_named(argv[1], 1, why);
  if (!scene) {
    std::fprintf(stderr, "%s\n", why.c_str());
    return 2;
  }
  const perpend::draw::Image image =
      perpend::draw::picture(*scene, {{"", {perpend::draw::start_state(*scene)}}});
  std::ofstream file(argv[2], std::ios::binary);
  file << perpend::draw::png(image) << std::flush;
  std::printf("%s: %d x %d pixels\n", argv[2], image.width, image.height);
  return file ? 0 : 1;
}
