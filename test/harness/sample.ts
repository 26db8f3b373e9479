/** Every `step`th of expensive cases, from `first` on; all of them in `npm run nightly`, which sets CASES=all. */
export function sample<Case>(cases: readonly Case[], step: number, first = 0): Case[] {
  return process.env.CASES === "all" ? [...cases] : cases.filter((_, at) => at % step === first);
}
