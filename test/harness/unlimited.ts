// Settings that lift what a client may ask, where limits are not what a test or a bench looks at.

const many = "100000000";

export const unlimited = {
  RATE_LIMIT_PER_MINUTE: many,
  RATE_LIMIT_BURST: many,
  RATE_LIMIT_APPLICATION_PER_MINUTE: many,
  RATE_LIMIT_APPLICATION_BURST: many,
  RATE_LIMIT_REFLECTION_PER_MINUTE: many,
  RATE_LIMIT_REFLECTION_BURST: many,
  RATE_LIMIT_FEEDBACK_PER_MINUTE: many,
  RATE_LIMIT_FEEDBACK_BURST: many,
  FEEDBACK_PER_HOUR_MAX: many,
  RATE_LIMIT_WEBHOOK_TEST_PER_MINUTE: many,
  RATE_LIMIT_WEBHOOK_TEST_BURST: many,
  RATE_LIMIT_INGEST_ROWS_PER_MINUTE: many,
  RATE_LIMIT_INGEST_ROWS_BURST: many,
};
