import { TopicService } from "@ems/proto/catalog/v1/topic_service";
import { ReportingService } from "@ems/proto/reporting/v1/reporting_service";
import { expect, test } from "vitest";
import { messageBytesMax, readRequestBytesMax } from "../limits/sizes.ts";
import { requestLimits } from "./listen.ts";

test("the request of a GET is small, that of a read by POST as large as a change", () => {
  const rpcs = [TopicService, ReportingService].flatMap((service) =>
    Object.values(service.method).map((method) => ({
      service,
      method,
      invoke: () => Promise.reject(new Error("not called")),
    })),
  );
  const bytesMax = requestLimits(rpcs);
  const ofMessage = (path: string) => bytesMax(path) - 5;
  expect(ofMessage("/ems.catalog.v1.TopicService/ListTopics")).toBe(readRequestBytesMax);
  expect(ofMessage("/ems.catalog.v1.TopicService/CreateTopic")).toBe(messageBytesMax);
  expect(ofMessage("/ems.reporting.v1.ReportingService/QueryReport")).toBe(messageBytesMax);
  expect(bytesMax("/ems.catalog.v1.TopicService/Other")).toBe(0);
});
