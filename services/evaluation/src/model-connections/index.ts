import { type Mount, mount } from "@ems/kit/rpc/service";
import { ModelConnectionService } from "@ems/proto/evaluation/v1/model_connection_service";
import type { Deps } from "../deps.ts";
import { createModelConnection } from "./create-model-connection.ts";
import { deleteModelConnection } from "./delete-model-connection.ts";
import { getModelConnection } from "./get-model-connection.ts";
import { listModelConnections } from "./list-model-connections.ts";
import { testModelConnection } from "./test-model-connection.ts";
import { updateModelConnection } from "./update-model-connection.ts";

export { createConnections } from "./connections.ts";
export { ModelConnectionEntity, type ModelConnectionRow } from "./entity.ts";
export { type FoundConnection, findConnection, findRow, getCost } from "./find-connection.ts";
export { lockConnections } from "./queries.ts";
export { requireConnection } from "./require-connection.ts";
export { resumeIfOver } from "./resume-if-over.ts";
export { tenantPrices } from "./tenant-prices.ts";

export const modelConnections = (deps: Deps): Mount =>
  mount(ModelConnectionService, {
    listModelConnections: listModelConnections(deps),
    createModelConnection: createModelConnection(deps),
    getModelConnection: getModelConnection(deps),
    updateModelConnection: updateModelConnection(deps),
    deleteModelConnection: deleteModelConnection(deps),
    testModelConnection: testModelConnection(deps),
  });
