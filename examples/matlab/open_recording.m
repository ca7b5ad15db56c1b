% r = open_recording(file): a standard file (docs/format.md) for read_frame, in MATLAB and in Octave.
%
% r.frames is the number of frames. Octave loads the whole file at once, MATLAB reads frame by
% frame. Both layouts are taken: the one that is recorded, and the one of
% `perpend convert IN OUT --layout frames`. Octave 7 has no function for attributes (engine, scene,
% ...): `perpend info FILE` and h5dump print them; in MATLAB it is h5readatt(file, '/', 'engine').
function r = open_recording(file)
  r.file = file;
  r.octave = exist('OCTAVE_VERSION', 'builtin') ~= 0;
  if r.octave
    r.data = load('-hdf5', file);
    names = fieldnames(r.data.frames);
    r.by_frame = ~isfield(r.data.frames, 'offsets');
    if ~r.by_frame, names = cell(size(r.data.frames.offsets, 2), 1); end
  else
    info = h5info(file, '/frames');
    names = regexprep({info.Groups.Name}, '.*/', '');
    r.by_frame = isempty(info.Datasets);
    if ~r.by_frame
      info = h5info(file, '/frames/offsets');
      names = cell(info.Dataspace.Size(2), 1);
    end
  end
  r.names = names;
  r.frames = numel(names);
end
