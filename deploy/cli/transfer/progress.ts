import { SingleBar } from "cli-progress";

/** Progress bar on stderr. Prints nothing if stderr is not a terminal. */
export interface Progress {
  begin(what: string, total: number): void;
  /** Sets the progress to `done`; without an argument, increases it by one. */
  step(done?: number): void;
  end(): void;
}

export function progressBar(): Progress {
  let bar: SingleBar | undefined;
  const end = () => {
    bar?.stop();
    bar = undefined;
  };
  return {
    begin(what, total) {
      end();
      if (total === 0) return;
      bar = new SingleBar({
        format: `${what.padEnd(14)} {bar} {percentage}%  {eta_formatted}`,
        stream: process.stderr,
      });
      bar.start(total, 0);
    },
    step(done) {
      if (done === undefined) bar?.increment();
      else bar?.update(done);
    },
    end,
  };
}
