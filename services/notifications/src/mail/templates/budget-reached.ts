import type { ContentFor } from "../job-content.ts";
import { html } from "./html.ts";
import { layout, type MailContent } from "./layout.ts";

export function budgetReachedMail(data: ContentFor<"BUDGET_REACHED">): MailContent {
  const { applicationId, period, unit, percent, budget, spent, uncertain = "0", endsAt } = data;
  const [budgetText, spentText] = [formatAmount(budget, unit), formatAmount(spent, unit)];
  const what = `Evaluations have used ${percent} % of the budget of the ${period}: ${spentText} of ${budgetText}.`;
  const doubt =
    uncertain === "0"
      ? []
      : [
          `Of this, ${formatAmount(uncertain, unit)} is uncertain: calls without a response from the model, which may have been billed.`,
        ];
  const next =
    percent < 100
      ? `At 100 %, evaluations by models wait until ${endsAt}, or until the budget is raised.`
      : `Evaluations by models wait until ${endsAt}, or until the budget is raised. No data is lost.`;
  const id = `The application's ID is ${applicationId}.`;
  return layout(
    `Budget of the ${period}: ${percent} % used`,
    [what, ...doubt, next, id],
    [
      html`<p>${what}</p>`,
      ...doubt.map((text) => html`<p>${text}</p>`),
      html`<p>${next}</p>`,
      html`<p class="quiet">${id}</p>`,
    ],
  );
}

/** Formats millionths of a US dollar as dollars, exactly. */
function formatAmount(amount: string, unit: "money" | "tokens"): string {
  if (unit === "tokens") return `${BigInt(amount).toLocaleString("en")} tokens`;
  const micro = BigInt(amount);
  const fraction = String(micro % 1_000_000n)
    .padStart(6, "0")
    .replace(/0{1,4}$/, "");
  return `$${(micro / 1_000_000n).toLocaleString("en")}.${fraction}`;
}
