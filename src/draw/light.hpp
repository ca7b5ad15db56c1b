// How much light reaches a point of a stage.
#pragma once

#include "draw/render.hpp"
#include "draw/stage.hpp"

namespace perpend::draw {

// One parallel light: for every cell of a map, how near to it the first surface is.
class ShadowMap {
 public:
  // Triangles within `radius` of `centre` cast shadows. A film's ground casts none: nothing is
  // below.
  ShadowMap(const Stage&, const Vector3f& towards, const Vector3f& centre, float radius, int size,
            Quality);
  const Vector3f& towards() const { return towards_; }
  // 0: in shadow, 1: lit, between them at the border of a shadow.
  // `cosine`, which is positive: of the angle between the normal and the way to the light.
  float reaches(const Vector3f& point, const Vector3f& normal, float cosine) const;

 private:
  Vector3f towards_, across_, along_, centre_;
  float radius_;
  int size_;
  float cell_ = 0, per_metre_ = 0, left_ = 0, top_ = 0;  // m; from metres to cells
  std::vector<float> nearest_;
};

// The sun is a small disc of lights, the sky a dome of them: soft shadows, and corners darker than
// open places.
class Light {
 public:
  Light(const Stage&, int pixels, Quality);  // of the picture's longer side
  // Brightness of a white surface there.
  float at(const Vector3f& point, const Vector3f& normal) const;

 private:
  Vector3f up_;
  std::vector<ShadowMap> sun_, sky_;
};

}  // namespace perpend::draw
