// One solver at work beside the others: it opens a problem, solves it and keeps its iterates. A
// newer problem replaces one that waits; work that takes too long is given up for it.
import type {Frame, FromProgram, Iterate, Recording, Solved, ToProgram} from '../messages';

// Where the program runs: it gets JSON lines and messages, and answers by messages.
export interface Link { open: (text: string) => void; send: (message: ToProgram) => void; close: () => void }
export type Start = (heard: (message: FromProgram) => void) => Link;

export interface Job { number: number; text: string; frame: number; solve?: {solver: string; iterations: number; tolerance: number} }
export interface Answer { recording?: Recording; frame?: Frame; solved?: Solved; wrong?: string }

const PATIENCE = 300;  // ms, for work that nobody wants any more

export class Lane {
  private link: Link;
  private job?: Job;
  private next?: Job;
  private answer: Answer = {};
  private since = 0;
  private late = 0;
  iterate: (iterate: Iterate) => void = () => {};

  constructor(private readonly start: Start, private readonly done: (job: Job, answer: Answer) => void) {
    this.link = start((message) => this.heard(message));
  }

  run(job: Job) {
    if (!this.job) return this.begin(job);
    this.next = job;
    clearTimeout(this.late);
    this.late = window.setTimeout(() => this.give_up(), Math.max(0, this.since + PATIENCE - performance.now()));
  }
  show(point: number) {
    if (!this.job) this.link.send({kind: 'show_iterate', point});
  }
  close() {
    clearTimeout(this.late);
    this.link.close();
  }

  private begin(job: Job) {
    this.job = job;
    this.answer = {};
    this.since = performance.now();
    this.link.open(job.text);
  }
  private give_up() {
    if (!this.next) return;
    this.link.close();
    this.link = this.start((message) => this.heard(message));
    this.begin(this.next);
    this.next = undefined;
  }
  private finish() {
    const {job, answer, next} = this;
    clearTimeout(this.late);
    this.job = this.next = undefined;
    if (next) this.begin(next);
    this.done(job!, answer);
  }

  private heard(message: FromProgram) {
    if (message.kind === 'iterate') return this.iterate(message);
    const {job, answer} = this;
    if (!job) return;
    if (message.kind === 'notice' && message.wrong) {
      answer.wrong = message.words;
      return this.finish();
    }
    if (message.kind === 'recording') answer.recording = message;
    else if (message.kind === 'frame' && message.frame !== job.frame) this.link.send({kind: 'show_frame', frame: job.frame});
    else if (message.kind === 'frame') {
      answer.frame = message;
      if (!job.solve) return this.finish();
      this.link.send({kind: 'solve_frame', recording: 0, frame: job.frame, ...job.solve});
    } else if (message.kind === 'solved') {
      answer.solved = message;
      this.finish();
    }
  }
}
