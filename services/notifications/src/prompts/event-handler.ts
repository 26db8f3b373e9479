import type { Clock } from "@ems/kit/clock";
import type { ReceivedEvent } from "@ems/kit/events/bus";
import { fromValue } from "@ems/kit/json/free-value";
import type { PromptRequested } from "@ems/proto/events/v1/event";
import { promptDelaysMs } from "@ems/proto/limits";
import { DeliveryEntity, findTargets, noWebhook, webhookDisabled } from "../deliveries/index.ts";
import type { HandleEvents } from "../events/index.ts";
import { PromptOutcomeEntity } from "./entity.ts";

/** Returns true if the event requests the delivery of a prompt. */
export function isPrompt({ type }: Pick<ReceivedEvent, "type">): boolean {
  return type === "prompt.requested";
}

/** Creates a delivery for each prompt, due immediately, or a failed outcome if there is no enabled webhook. */
export function promptHandler(clock: Clock): HandleEvents {
  return async (tx, events) => {
    const requested = events.filter(isPrompt);
    if (requested.length === 0) return;
    const targets = await findTargets(tx, requested);
    const now = clock.now();
    const prompts = requested.map(({ content: { data }, ...event }) => {
      if (data.case !== "promptRequested") throw new Error(`event ${event.id} has no data of type prompt.requested`);
      return { ...event, prompt: data.value, target: targets.get(event.applicationId) };
    });
    const deliveries = prompts.flatMap(({ applicationId, orgId, traceparent, prompt, target }) => {
      if (target === undefined) return [];
      const isDue = target.disabledAt === null;
      return {
        applicationId,
        orgId,
        traceparent,
        createdAt: now,
        // A test has only one prompt, so its ID is also the delivery's, and the `webhook-id` that the receiver gets.
        id: prompt.testId,
        kind: "PROMPT" as const,
        type: "prompt",
        webhookId: target.id,
        payload: JSON.stringify(promptBody(prompt, applicationId)),
        status: isDue ? ("PENDING" as const) : ("FAILED" as const),
        nextAttemptAt: isDue ? now : null,
        lastOutcome: isDue ? null : "DISABLED",
        scheduleSteps: promptDelaysMs.length,
      };
    });
    const failures = prompts.flatMap(({ applicationId, orgId, prompt: { testId }, target }) => {
      if (target?.disabledAt === null) return [];
      const failure = target === undefined ? noWebhook : webhookDisabled;
      return { applicationId, testId, orgId, failure, nextAttemptAt: now, createdAt: now };
    });
    await tx.insert(DeliveryEntity, deliveries, "ignore");
    await tx.insert(PromptOutcomeEntity, failures, "ignore");
  };
}

/** Builds the body that is sent to the webhook. */
export function promptBody({ testId, prompt, metadata, experiment }: PromptRequested, applicationId: string) {
  return {
    prompt: prompt === undefined ? null : fromValue(prompt),
    testId,
    ...(metadata !== undefined && { metadata }),
    ...(experiment !== undefined && {
      experiment: {
        experimentId: experiment.experimentId,
        experimentVariantId: experiment.experimentVariantId,
        overrides: experiment.overrides ?? {},
      },
    }),
    applicationId,
  };
}
