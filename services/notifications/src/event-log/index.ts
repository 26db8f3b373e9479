import { type Mount, mount } from "@ems/kit/rpc/service";
import { EventLogService } from "@ems/proto/notifications/v1/event_log_service";
import { type ReadEventsDeps, readEvents } from "./read-events.ts";

export { Arrivals } from "./arrivals.ts";
export { EventLogEntity, EventPositionEntity } from "./entity.ts";
export { forgetEvents } from "./forget-events.ts";
export { eventLogHandler } from "./record-events.ts";

export const eventLog = (deps: ReadEventsDeps): Mount => mount(EventLogService, { readEvents: readEvents(deps) });
