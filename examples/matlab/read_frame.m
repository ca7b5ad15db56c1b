% f = read_frame(r, k): frame k = 0, 1, ... of a recording opened by open_recording.
%
% f.bodies, f.contacts, f.constraints, f.solution, f.timing hold the columns of docs/format.md under
% their names, and f.step, f.time numbers. MATLAB and Octave count columns first: what the page calls
% (M, 3) comes as 3 x M, so contact i is f.contacts.normals(:, i). Columns that the frame does
% not have are not in f.
function f = read_frame(r, k)
  if k < 0 || k >= r.frames
    error('read_frame: %s has no frame %d, the last is %d', r.file, k, r.frames - 1);
  end
  if r.by_frame
    at = struct();
  else
    o = double(part(r, {'frames', 'offsets'}, k, 1));
    at = struct('body', o([1 5]), 'joint', o([2 6]), 'joint_row', o([3 7]), 'contact', o([4 8]), ...
                'frame', [k; 1]);
  end
  lists = {  % group, counted by, columns
    % made by scripts/columns.py
    '', 'frame', {'step', 'time', 'stepper'};
    'bodies', 'body', {'ids', 'masses', 'inertia', 'positions', 'quaternions', 'velocities', ...
      'forces', 'velocities_plus'};
    'contacts', 'contact', {'pairs', 'normals', 'points', 'gap', 'mu', 'points2', 'tangents', ...
      'restitution', 'cfm', 'bias', 'friction_bounds', 'ids', 'group', 'rolling_mu', ...
      'torsional_mu', 'push', 'surface_velocity'};
    'constraints', 'joint', {'pairs', 'rows', 'ids', 'pairs2'};
    'constraints', 'joint_row', {'jacobian', 'bounds', 'violation', 'rate', 'compliance', 'cfm', ...
      'bias', 'jacobian2'};
    'solution', 'contact', {'z', 'slide_or_stick'};
    'solution', 'joint_row', {'z_joints'};
    'solution', 'frame', {'iterations', 'answered', 'own_error', 'velocity_error', ...
      'rms_violation', 'joint_error', 'joint_turn_error', 'natural_map_error', 'normal_error', ...
      'friction_error', 'total_error', 'lcp_merit', 'pgs_merit', 'max_penetration', ...
      'energy_change'};
    'timing', 'frame', {'collision', 'formulation', 'solver', 'total'};
    % until here
    };
  f = struct();
  for i = 1:size(lists, 1)
    [group, counted_by, names] = lists{i, :};
    if ~isempty(group) && ~isfield(f, group), f.(group) = struct(); end
    for name = names
      path = name;
      if ~isempty(group), path = [{group}, name]; end
      value = column(r, k, at, path, counted_by);
      if isempty(value), continue; end
      if isempty(group), f.(name{1}) = value; else, f.(group).(name{1}) = value; end
    end
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
