% solve_frames(in, out, csv): a solver in Octave and MATLAB. It reads every frame of a standard file,
% solves it by projected Gauss-Seidel on the friction cones, and writes the impulses twice: with the
% frames as JSON lines, and as CSV (n, t, o of each contact, N s). Perpend judges them:
%
%   solve_frames('in.h5', 'out.jsonl', 'z.csv')
%   perpend measure in.h5 --impulses z.csv
%   perpend measure out.jsonl
%
% For frames without joints. A, b and the projection are written from docs/format.md and
% docs/formulations.md alone: y = A z + b with the relative velocities after the step.
function solve_frames(in, out, csv)
  r = open_recording(in);
  all = zeros(3, 0);
  frames = {};
  for k = 1:r.frames
    f = read_frame(r, k - 1);
    if isfield(f.constraints, 'violation'), error('solve_frames: frame %d has joints', k - 1); end
    if isfield(f.contacts, 'gap')
      [A, b] = system_of(f);
      f.solution.z = reshape(sweeps(A, b, f.contacts.mu), 3, []);
      all = [all, f.solution.z];
    end
    frames{end + 1} = f;
  end
  dlmwrite(csv, all', 'precision', '%.17g');
  write_frames(out, frames);
end

% The contacts' rows, in the order n, t, o.
function [A, b] = system_of(f)
  m = numel(f.contacts.gap);
  n = numel(f.bodies.masses);
  J = zeros(3 * m, 6 * n);
  W = zeros(6 * n);  % the inverse of the masses; fixed bodies have none
  v = f.bodies.velocities;
  for i = 1:n
    at = 6 * i - 5 : 6 * i;
    if f.bodies.masses(i) == 0, continue; end
    W(at, at) = blkdiag(eye(3) / f.bodies.masses(i), inv(reshape(f.bodies.inertia(:, :, i), 3, 3)));
    v(:, i) = v(:, i) + f.step * W(at, at) * f.bodies.forces(:, i);
  end
  gap = f.contacts.gap;
  if isfield(f.contacts, 'push'), gap = f.contacts.push; end
  s = zeros(3, m);
  for i = 1:m
    N = f.contacts.normals(:, i);
    if isfield(f.contacts, 'tangents')
      T = reshape(f.contacts.tangents(:, i), 3, 2);
    else
      [~, least] = min(abs(N));
      t = -N(least) * N;
      t(least) = t(least) + 1;
      t = t / norm(t);
      T = [t, cross(N, t)];
    end
    D = [N, T];
    first = find(f.bodies.ids == f.contacts.pairs(1, i));
    second = find(f.bodies.ids == f.contacts.pairs(2, i));
    r1 = f.contacts.points(:, i);
    r2 = f.bodies.positions(:, first) + r1 + gap(i) * N - f.bodies.positions(:, second);
    if isfield(f.contacts, 'points2'), r2 = f.contacts.points2(:, i); end
    rows = 3 * i - 2 : 3 * i;
    for c = 1:3
      J(rows(c), 6 * first - 5 : 6 * first) = -[D(:, c); cross(r1, D(:, c))]';
      J(rows(c), 6 * second - 5 : 6 * second) = [D(:, c); cross(r2, D(:, c))]';
    end
    if isfield(f.contacts, 'surface_velocity')
      s(:, i) = D' * f.contacts.surface_velocity(:, i);
    end
  end
  A = J * W * J';
  b = J * v(:) + s(:);
  b(1:3:end) = b(1:3:end) + gap(:) / f.step;
  if isfield(f.contacts, 'restitution') && any(f.contacts.restitution > 0)
    error('solve_frames: contacts with restitution');
  end
end

function z = sweeps(A, b, mu)
  m = numel(mu);
  z = zeros(3 * m, 1);
  for sweep = 1:20000
    before = z;
    for i = 1:m
      at = 3 * i - 2 : 3 * i;
      rho = 1 / max(eig(A(at, at)));
      for inner = 1:5
        w = A(at, :) * z + b(at);
        w(1) = w(1) + mu(i) * norm(w(2:3));  % de Saxce: the cone is then its own dual
        z(at) = onto_cone(z(at) - rho * w, mu(i));
      end
    end
    if norm(z - before) <= 1e-13 * max(1, norm(z)), return; end
  end
end

function p = onto_cone(x, mu)
  s = norm(x(2:3));
  if s <= mu * x(1)
    p = x;
  elseif mu * s <= -x(1)
    p = zeros(3, 1);
  else
    n = (x(1) + mu * s) / (1 + mu^2);
    p = [n; mu * n * x(2:3) / s];
  end
end
