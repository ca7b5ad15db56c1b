% write_frames(file, frames): frames of read_frame, in a cell array, as JSON lines (docs/json.md).
% What is in f.solution.z and f.solution.z_joints is written as the answer. No digit is lost.
function write_frames(file, frames)
  out = fopen(file, 'w');
  if out < 0, error('write_frames: cannot write %s', file); end
  for k = 1:numel(frames)
    f = frames{k};
    parts = {sprintf('"step": %s', text(f.step, 1))};
    if isfield(f, 'time'), parts{end + 1} = sprintf('"time": %s', text(f.time, 1)); end
    for group = {'bodies', 'contacts', 'constraints'}
      if ~isfield(f, group{1}) || isempty(fieldnames(f.(group{1}))), continue; end
      parts{end + 1} = sprintf('"%s": %s', group{1}, object(f.(group{1})));
    end
    answer = struct();
    for name = {'z', 'z_joints'}
      if isfield(f.solution, name{1}), answer.(name{1}) = f.solution.(name{1}); end
    end
    if ~isempty(fieldnames(answer)), parts{end + 1} = ['"expected": ', object(answer)]; end
    fprintf(out, '{%s}\n', strjoin(parts, ', '));
  end
  fclose(out);
end

function words = object(columns)
  parts = {};
  flat = {'ids', 'masses', 'gap', 'mu', 'restitution', 'group', 'rolling_mu', 'torsional_mu', ...
          'push', 'rows', 'violation', 'rate', 'compliance', 'z_joints'};
  for name = fieldnames(columns)'
    value = columns.(name{1});
    if any(strcmp(name{1}, 'velocities_plus')), continue; end
    if strcmp(name{1}, 'inertia'), value = reshape(value, 9, []); end
    if any(strcmp(name{1}, flat))
      words = text(value(:)', numel(value));
      if numel(value) == 1, words = ['[', words, ']']; end
    else
      rows = cell(1, size(value, 2));
      for i = 1:numel(rows), rows{i} = ['[', strip(text(value(:, i)', size(value, 1))), ']']; end
      words = ['[', strjoin(rows, ', '), ']'];
    end
    parts{end + 1} = sprintf('"%s": %s', name{1}, words);
  end
  words = ['{', strjoin(parts, ', '), '}'];
end

% Numbers with all their digits; what is infinite is null.
function words = text(numbers, count)
  parts = cell(1, count);
  for i = 1:count
    if isinteger(numbers)
      parts{i} = sprintf('%d', numbers(i));
    elseif isfinite(numbers(i))
      parts{i} = sprintf('%.17g', numbers(i));
    else
      parts{i} = 'null';
    end
  end
  words = strjoin(parts, ', ');
  if count ~= 1, words = ['[', words, ']']; end
end

function words = strip(words)
  if words(1) == '[', words = words(2:end - 1); end
end
