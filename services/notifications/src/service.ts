import { createClient } from "@connectrpc/connect";
import type { BackgroundLoop } from "@ems/kit/background";
import type { PausedIn } from "@ems/kit/db/queue";
import { RelayDatabase } from "@ems/kit/db/relay-database";
import type { ReceivedEvent } from "@ems/kit/events/bus";
import { publisher } from "@ems/kit/events/publish";
import { Retention } from "@ems/kit/retention";
import type { ServiceDeps } from "@ems/kit/serve";
import { openService, type Service } from "@ems/kit/service";
import { ErasureWorkService } from "@ems/proto/experiments/v1/erasure_work_service";
import { ExecutionService } from "@ems/proto/experiments/v1/execution_service";
import { IngestSettingsService } from "@ems/proto/experiments/v1/ingest_settings_service";
import { TestService } from "@ems/proto/experiments/v1/test_service";
import { TraceService } from "@ems/proto/experiments/v1/trace_service";
import { UserService } from "@ems/proto/identity/v1/user_service";
import { Redactors } from "@ems/traces-client";
import type { NotificationsConfig } from "./config.ts";
import {
  createPromptWorker,
  createWorker,
  deliveries,
  deliveryHandler,
  deliveryQueue,
  retainedDeliveries,
  type Worker,
  webhookHosts,
} from "./deliveries/index.ts";
import type { Deps } from "./deps.ts";
import { startErasing } from "./erasures/index.ts";
import { Arrivals, eventLog, eventLogHandler, forgetEvents } from "./event-log/index.ts";
import { consumeEvents } from "./events/index.ts";
import { createStorage, exportSource, exports, startExporter } from "./exports/index.ts";
import { feedback, feedbackLimiter, startResender } from "./feedback/index.ts";
import { isMailed, mailHandler, notifyOperator, openMail, retainedMails, startMailer } from "./mail/index.ts";
import { isPrompt, promptHandler, startReporter } from "./prompts/index.ts";
import { notificationsSchema } from "./schema.ts";
import { secretBox } from "./secret-box.ts";
import { watchKept } from "./telemetry.ts";
import { webhooks } from "./webhooks/index.ts";

const resources = [webhooks, deliveries, exports, feedback];

/** Creates notifications: webhooks and their deliveries, scheduled exports, mail and feedback. */
export async function createNotifications(
  config: NotificationsConfig,
  { log, bus, clock, newId, random, peer }: ServiceDeps,
): Promise<Service> {
  const { RELAY_DATABASE_URL: url, RELAY_POOL_MAX: poolMax } = config;
  const relayDatabase = new RelayDatabase({ schema: notificationsSchema, url, poolMax, log });
  const users = createClient(UserService, peer("identity"));
  const execution = createClient(ExecutionService, peer("experiments"));
  const erasureWork = createClient(ErasureWorkService, peer("experiments"));
  const mail = await openMail(config, { clock, newId, log });
  // Workers for events and for prompts; without a bus (in tests), nothing is delivered.
  let workers: { readonly events: Worker; readonly prompts: Worker } | undefined;
  const everyWorker = (act: (worker: Worker) => void) => Object.values(workers ?? {}).forEach(act);
  let reporter: BackgroundLoop | undefined;
  let resender: BackgroundLoop | undefined;
  let exporter: BackgroundLoop | undefined;
  let forgetting: BackgroundLoop | undefined;
  let erasing: BackgroundLoop | undefined;
  const storage = createStorage(config);
  const arrivals = new Arrivals({ relayDatabase, log });
  const kinds = [
    retainedDeliveries(config.RETENTION_DAYS_DELIVERIES, relayDatabase),
    retainedMails(config.RETENTION_DAYS_MAILS, relayDatabase),
  ];
  const retention = new Retention({ schema: notificationsSchema.name, kinds }, { relayDatabase, clock, log });
  const pausedIn: PausedIn = (queue) => (queue === deliveryQueue ? (workers?.events.paused() ?? []) : []);
  const open = { log, bus, clock, relayDatabase, pausedIn };
  const service = await openService(notificationsSchema, config, open, (database) => {
    const hosts = webhookHosts(config);
    const deps: Deps = {
      database,
      relayDatabase,
      publish: publisher(notificationsSchema.name, { clock, newId }),
      clock,
      newId,
      random,
      retention,
      secrets: secretBox(config.SEALING_KEYS, random),
      log,
      hosts,
      wake: (applicationId) => everyWorker((worker) => worker.wake(applicationId)),
      invalidate: (applicationId) => everyWorker((worker) => worker.invalidate(applicationId)),
      webhookTestsMax: config.WEBHOOK_TESTS_MAX,
      storage,
      exportDelayMs: config.EXPORT_DELAY_MS,
      users,
      mail: mail.transport,
      feedbackTo: mail.feedbackTo,
      feedbackLimiter: feedbackLimiter(),
      feedbackPerHourMax: config.FEEDBACK_PER_HOUR_MAX,
    };
    const onDisabled = config.OPERATOR_TO === undefined ? undefined : notifyOperator(newId);
    const redactors = new Redactors(createClient(IngestSettingsService, peer("traces")), clock);
    const workerDeps = { ...deps, publicHosts: hosts, redactors, onDisabled, onOutcomes: () => reporter?.wake() };
    workers = bus && {
      events: createWorker(config, workerDeps),
      prompts: createPromptWorker(config, workerDeps),
    };
    const source = exportSource({
      traces: createClient(TraceService, peer("traces")),
      tests: createClient(TestService, peer("experiments")),
    });
    exporter = bus && startExporter(config, { ...deps, source });
    resender = startResender(deps);
    forgetting = forgetEvents(deps);
    erasing = startErasing({ ...deps, erasureWork });
    retention.start();
    return [...resources.map((resource) => resource(deps)), eventLog({ database, clock, arrivals })];
  });
  const mailer = startMailer({ ...mail, relayDatabase, users, operatorTo: config.OPERATOR_TO, clock, newId, log });
  const handlers = [
    deliveryHandler(clock),
    promptHandler(clock),
    mailHandler(clock, config.PUBLIC_URL),
    eventLogHandler,
  ];
  const onHandled = (events: readonly ReceivedEvent[]) => {
    everyWorker((worker) => worker.wake());
    // Wakes the reporter, because prompts without an enabled webhook have failed outcomes.
    if (events.some(isPrompt)) reporter?.wake();
    arrivals.wake(new Set(events.map(({ applicationId }) => applicationId)));
    if (events.some(isMailed)) mailer.wake();
  };
  const reconcileMs = config.RECONCILE_MS;
  const consumer = bus && consumeEvents({ bus, reconcileMs, relayDatabase, clock, newId, log, handlers, onHandled });
  reporter = bus && startReporter({ relayDatabase, execution, clock, log });
  everyWorker((worker) => worker.start());
  const stopWatching = watchKept(relayDatabase);
  return {
    ...service,
    adminPages: mail.pages,
    drain: () => arrivals.drain(),
    close: async () => {
      stopWatching();
      await consumer?.stop();
      await Promise.all([workers?.events.stop(), workers?.prompts.stop()]);
      await reporter?.stop();
      await mailer.stop();
      await exporter?.stop();
      await storage.http.close();
      await resender?.stop();
      await forgetting?.stop();
      await erasing?.stop();
      await retention.stop();
      await arrivals.stop();
      mail.transport.close();
      await service.close();
      await relayDatabase.close();
    },
  };
}
