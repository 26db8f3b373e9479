import type { MeasuredStep } from "./totals.ts";

/**
 * The step, without tokens and cost when another step of the trace counts the call. A step that counts it has its id in
 * the row.
 */
export function countedOnce(measured: MeasuredStep, callId: string | undefined, calls: Set<string>): MeasuredStep {
  const { step, content } = measured;
  if (callId === undefined || (step.usage === undefined && step.costAmount === undefined)) return measured;
  const isRepeat = calls.has(callId);
  calls.add(callId);
  if (!isRepeat) return { step, content: { ...content, fields: { ...content.fields, callId } } };
  const { usage: _usage, costAmount: _cost, ...counted } = step;
  const { usage: _storedUsage, costAmount: _storedCost, ...fields } = content.fields;
  return { step: counted, content: { ...content, fields } };
}
