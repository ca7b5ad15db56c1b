% f = read_frame(r, k): frame k = 0, 1, ... of a recording opened by open_recording.
%
% f.bodies, f.contacts, f.constraints, f.solution hold the columns of docs/format.md under their
% names, and f.step, f.time numbers. MATLAB and Octave count columns first: what the page calls
% (M, 3) comes as 3 x M, so contact i is f.contacts.normals(:, i). Columns that the frame lacks are
% no fields of f.
function f = read_frame(r, k)
  if k < 0 || k >= r.frames
    error('read_frame: %s has no frame %d, the last is %d', r.file, k, r.frames - 1);
  end
  if r.by_frame
    at = struct();
  else
    o = double(part(r, {'frames', 'offsets'}, k, 1));
    at = struct('body', o([1 5]), 'joint', o([2 6]), 'row', o([3 7]), 'contact', o([4 8]), ...
                'frame', [k; 1]);
  end
  f.step = column(r, k, at, {'step'}, 'frame');
  f.time = column(r, k, at, {'time'}, 'frame');
  f.bodies = group(r, k, at, 'bodies', ...
    {'ids', 'masses', 'inertia', 'positions', 'quaternions', 'velocities', 'forces', ...
     'velocities_plus'}, 'body');
  f.contacts = group(r, k, at, 'contacts', ...
    {'pairs', 'normals', 'points', 'gap', 'mu', 'points2', 'tangents', 'restitution', 'cfm', ...
     'bias', 'friction_bounds', 'ids', 'group', 'rolling_mu', 'torsional_mu'}, 'contact');
  f.constraints = group(r, k, at, 'constraints', {'pairs', 'rows'}, 'joint');
  rows = group(r, k, at, 'constraints', ...
    {'jacobian', 'bounds', 'violation', 'rate', 'cfm', 'bias'}, 'row');
  for name = fieldnames(rows)', f.constraints.(name{1}) = rows.(name{1}); end
  f.solution = group(r, k, at, 'solution', {'z', 'slide_or_stick'}, 'contact');
  rest = group(r, k, at, 'solution', {'z_joints'}, 'row');
  for name = fieldnames(rest)', f.solution.(name{1}) = rest.(name{1}); end
  rest = group(r, k, at, 'solution', {'iterations', 'velocity_error', 'own_error'}, 'frame');
  for name = fieldnames(rest)', f.solution.(name{1}) = rest.(name{1}); end
end

function g = group(r, k, at, name, columns, counted_by)
  g = struct();
  for i = 1:numel(columns)
    value = column(r, k, at, {name, columns{i}}, counted_by);
    if ~isempty(value), g.(columns{i}) = value; end
  end
end

% Empty where the frame has no such column: it is missing, too short, or nothing but NaN (of
% integers: the lowest).
function value = column(r, k, at, path, counted_by)
  if r.by_frame
    value = part(r, [{'frames', r.names{k + 1}}, path], 0, Inf);
  else
    rows = at.(counted_by);
    value = part(r, path, rows(1), rows(2));
  end
  if isinteger(value)
    absent = all(value(:) == intmin('int64')) || (isa(value, 'int8') && all(value(:) == -1));
  else
    absent = all(isnan(value(:)));
  end
  if absent, value = []; end
end

% Rows first ... first + count - 1 of a dataset; they are its last dimension here.
function value = part(r, path, first, count)
  value = [];
  if r.octave
    value = r.data;
    for i = 1:numel(path)
      if ~isfield(value, path{i}), value = []; return; end
      value = value.(path{i});
    end
    if isinf(count), return; end
    rank = 2 + strcmp(path{end}, 'inertia');  % Octave drops a last dimension of 1
    if size(value, rank) < first + count, value = []; return; end
    index = repmat({':'}, 1, rank);
    index{end} = first + 1 : first + count;
    value = value(index{:});
  else
    name = ['/' strjoin(path, '/')];
    try
      info = h5info(r.file, name);
    catch
      return;  % there is no such dataset
    end
    shape = info.Dataspace.Size;
    if isinf(count)
      value = h5read(r.file, name);
    elseif count > 0 && shape(end) >= first + count
      start = ones(1, numel(shape));
      start(end) = first + 1;
      value = h5read(r.file, name, start, [shape(1:end-1), count]);
    end
    if numel(shape) == 1, value = reshape(value, 1, []); end  % as Octave has it
  end
end
