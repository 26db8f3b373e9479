import { defaultReplacement, type Rule } from "./rules.ts";

/** An empty field leaves the replacement to the API; that of a rule which replaces by nothing says so. */
export const replacementProps = ({ name, replacement }: Rule, onChange: (change: Partial<Rule>) => void) => ({
  value: replacement ?? "",
  placeholder: replacement === "" ? "Nothing" : defaultReplacement(name === "" ? "name" : name),
  onChange: (text: string) => onChange({ replacement: text === "" ? null : text }),
});
