% [time, force] = contact_forces(file, id): the sum of contact forces on the body with this id, N, in
% every frame of a recording; and it prints the last beside the body's weight.
%
%   contact_forces('run.h5', 1)            prints
%   contact_forces('run.h5', 1, 'plot')    also draws the three components over time
%
% Impulses z (N s) act along n, t, o on the second body of a pair and against them on the first;
% over the step h they are forces. A body at rest is carried: the sum is minus its weight.
function [time, force] = contact_forces(file, id, what)
  r = open_recording(file);
  time = zeros(1, r.frames);
  force = zeros(3, r.frames);
  for k = 1:r.frames
    f = read_frame(r, k - 1);
    time(k) = f.time;
    if ~isfield(f.contacts, 'gap'), continue; end
    if ~isfield(f.solution, 'z')
      error('contact_forces: frame %d of %s has contacts and no answer', k - 1, file);
    end
    z = f.solution.z;
    impulses = f.contacts.normals .* z([1 1 1], :) + f.contacts.tangents(1:3, :) .* z([2 2 2], :) ...
               + f.contacts.tangents(4:6, :) .* z([3 3 3], :);
    pairs = f.contacts.pairs;
    signs = double(pairs(2, :) == id) - double(pairs(1, :) == id);
    force(:, k) = impulses * signs' / f.step;
  end
  body = find(f.bodies.ids == id);
  if isempty(body), error('contact_forces: the last frame of %s has no body %d', file, id); end
  weight = f.bodies.forces(1:3, body);
  fprintf(['%d frames, body %d, last frame: contact force %.4f %.4f %.4f N, ' ...
           'external force %.4f %.4f %.4f N\n'], r.frames, id, force(:, end), weight);
  if nargin > 2 && strcmp(what, 'plot')
    plot(time, force');
    legend('x', 'y', 'z');
    xlabel('time [s]');
    ylabel('sum of contact forces [N]');
  end
end
