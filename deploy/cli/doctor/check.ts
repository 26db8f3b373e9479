export interface Finding {
  readonly status: "ok" | "warning" | "failure";
  readonly detail: string;
  /** Advice on how to fix the problem. */
  readonly advice?: string;
}

export interface Check {
  readonly name: string;
  run(): Promise<Finding>;
}

export const ok = (detail: string): Finding => ({ status: "ok", detail });
export const warning = (detail: string, advice: string): Finding => ({ status: "warning", detail, advice });
export const failure = (detail: string, advice: string): Finding => ({ status: "failure", detail, advice });
