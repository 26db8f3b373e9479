CREATE DATABASE IF NOT EXISTS ems ON CLUSTER 'main';
CREATE TABLE IF NOT EXISTS ems.test_local ON CLUSTER 'main' (
  application_id UUID,
  id UUID,
  created_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD),
  score_micro Nullable(Int64),
  score_exact Nullable(Float64),
  task_id UUID,
  topic_id Nullable(UUID),
  run_id UUID,
  duration_ms Nullable(Int32),
  passed Nullable(Bool),
  org_id String CODEC(ZSTD(3)),
  run_type LowCardinality(String),
  status LowCardinality(String),
  definition_ids Array(UUID) CODEC(ZSTD(3)),
  evaluation_count Int32,
  evaluation_passed Int32,
  error_cause Nullable(String) CODEC(ZSTD(3)),
  message Nullable(String) CODEC(ZSTD(3)),
  waiting_for Nullable(String) CODEC(ZSTD(3)),
  prompt Nullable(String) CODEC(ZSTD(3)),
  modified_at Nullable(DateTime64(3, 'UTC')),
  trace_id Nullable(UUID),
  trace_steps Nullable(Int32),
  trace_cost Nullable(Float64),
  trace_input_tokens Nullable(Int64),
  trace_output_tokens Nullable(Int64),
  trace_latency_ms Nullable(Float64),
  trace_cached_tokens Nullable(Int64),
  trace_cache_write_tokens Nullable(Int64),
  trace_reasoning_tokens Nullable(Int64),
  trace_unpriced_steps Nullable(Int32),
  batch UInt32,
  INDEX by_id id TYPE bloom_filter GRANULARITY 1,
  INDEX by_run_id run_id TYPE bloom_filter GRANULARITY 1,
  INDEX by_task_id task_id TYPE bloom_filter GRANULARITY 1
)
ENGINE = ReplicatedMergeTree('/clickhouse/tables/{shard}/ems/test_local', '{replica}') PARTITION BY toYYYYMM(created_at)
ORDER BY (application_id, created_at, id);
ALTER TABLE ems.test_local ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS application_id UUID, ADD COLUMN IF NOT EXISTS id UUID, ADD COLUMN IF NOT EXISTS created_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD), ADD COLUMN IF NOT EXISTS score_micro Nullable(Int64), ADD COLUMN IF NOT EXISTS score_exact Nullable(Float64), ADD COLUMN IF NOT EXISTS task_id UUID, ADD COLUMN IF NOT EXISTS topic_id Nullable(UUID), ADD COLUMN IF NOT EXISTS run_id UUID, ADD COLUMN IF NOT EXISTS duration_ms Nullable(Int32), ADD COLUMN IF NOT EXISTS passed Nullable(Bool), ADD COLUMN IF NOT EXISTS org_id String CODEC(ZSTD(3)), ADD COLUMN IF NOT EXISTS run_type LowCardinality(String), ADD COLUMN IF NOT EXISTS status LowCardinality(String), ADD COLUMN IF NOT EXISTS definition_ids Array(UUID) CODEC(ZSTD(3)), ADD COLUMN IF NOT EXISTS evaluation_count Int32, ADD COLUMN IF NOT EXISTS evaluation_passed Int32, ADD COLUMN IF NOT EXISTS error_cause Nullable(String) CODEC(ZSTD(3)), ADD COLUMN IF NOT EXISTS message Nullable(String) CODEC(ZSTD(3)), ADD COLUMN IF NOT EXISTS waiting_for Nullable(String) CODEC(ZSTD(3)), ADD COLUMN IF NOT EXISTS prompt Nullable(String) CODEC(ZSTD(3)), ADD COLUMN IF NOT EXISTS modified_at Nullable(DateTime64(3, 'UTC')), ADD COLUMN IF NOT EXISTS trace_id Nullable(UUID), ADD COLUMN IF NOT EXISTS trace_steps Nullable(Int32), ADD COLUMN IF NOT EXISTS trace_cost Nullable(Float64), ADD COLUMN IF NOT EXISTS trace_input_tokens Nullable(Int64), ADD COLUMN IF NOT EXISTS trace_output_tokens Nullable(Int64), ADD COLUMN IF NOT EXISTS trace_latency_ms Nullable(Float64), ADD COLUMN IF NOT EXISTS trace_cached_tokens Nullable(Int64), ADD COLUMN IF NOT EXISTS trace_cache_write_tokens Nullable(Int64), ADD COLUMN IF NOT EXISTS trace_reasoning_tokens Nullable(Int64), ADD COLUMN IF NOT EXISTS trace_unpriced_steps Nullable(Int32), ADD COLUMN IF NOT EXISTS batch UInt32, ADD INDEX IF NOT EXISTS by_id id TYPE bloom_filter GRANULARITY 1, ADD INDEX IF NOT EXISTS by_run_id run_id TYPE bloom_filter GRANULARITY 1, ADD INDEX IF NOT EXISTS by_task_id task_id TYPE bloom_filter GRANULARITY 1;
CREATE TABLE IF NOT EXISTS ems.test ON CLUSTER 'main' AS ems.test_local
ENGINE = Distributed('main', 'ems', 'test_local', cityHash64(application_id));
ALTER TABLE ems.test ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS application_id UUID, ADD COLUMN IF NOT EXISTS id UUID, ADD COLUMN IF NOT EXISTS created_at DateTime64(3, 'UTC'), ADD COLUMN IF NOT EXISTS score_micro Nullable(Int64), ADD COLUMN IF NOT EXISTS score_exact Nullable(Float64), ADD COLUMN IF NOT EXISTS task_id UUID, ADD COLUMN IF NOT EXISTS topic_id Nullable(UUID), ADD COLUMN IF NOT EXISTS run_id UUID, ADD COLUMN IF NOT EXISTS duration_ms Nullable(Int32), ADD COLUMN IF NOT EXISTS passed Nullable(Bool), ADD COLUMN IF NOT EXISTS org_id String, ADD COLUMN IF NOT EXISTS run_type LowCardinality(String), ADD COLUMN IF NOT EXISTS status LowCardinality(String), ADD COLUMN IF NOT EXISTS definition_ids Array(UUID), ADD COLUMN IF NOT EXISTS evaluation_count Int32, ADD COLUMN IF NOT EXISTS evaluation_passed Int32, ADD COLUMN IF NOT EXISTS error_cause Nullable(String), ADD COLUMN IF NOT EXISTS message Nullable(String), ADD COLUMN IF NOT EXISTS waiting_for Nullable(String), ADD COLUMN IF NOT EXISTS prompt Nullable(String), ADD COLUMN IF NOT EXISTS modified_at Nullable(DateTime64(3, 'UTC')), ADD COLUMN IF NOT EXISTS trace_id Nullable(UUID), ADD COLUMN IF NOT EXISTS trace_steps Nullable(Int32), ADD COLUMN IF NOT EXISTS trace_cost Nullable(Float64), ADD COLUMN IF NOT EXISTS trace_input_tokens Nullable(Int64), ADD COLUMN IF NOT EXISTS trace_output_tokens Nullable(Int64), ADD COLUMN IF NOT EXISTS trace_latency_ms Nullable(Float64), ADD COLUMN IF NOT EXISTS trace_cached_tokens Nullable(Int64), ADD COLUMN IF NOT EXISTS trace_cache_write_tokens Nullable(Int64), ADD COLUMN IF NOT EXISTS trace_reasoning_tokens Nullable(Int64), ADD COLUMN IF NOT EXISTS trace_unpriced_steps Nullable(Int32), ADD COLUMN IF NOT EXISTS batch UInt32;
CREATE TABLE IF NOT EXISTS ems.evaluation_local ON CLUSTER 'main' (
  application_id UUID,
  id UUID,
  created_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD),
  score_micro Nullable(Int64),
  score_exact Nullable(Float64),
  test_id UUID,
  run_id UUID,
  task_id UUID,
  topic_id Nullable(UUID),
  definition_id UUID,
  passed Nullable(Bool),
  org_id String CODEC(ZSTD(3)),
  definition_type LowCardinality(String),
  status LowCardinality(String),
  message Nullable(String) CODEC(ZSTD(3)),
  results Nullable(String) CODEC(ZSTD(3)),
  waiting_for Nullable(String) CODEC(ZSTD(3)),
  expected Nullable(String) CODEC(ZSTD(3)),
  modified_at Nullable(DateTime64(3, 'UTC')),
  definition_version Nullable(Int32),
  judge_version Nullable(String) CODEC(ZSTD(3)),
  model_connection_id Nullable(UUID),
  model Nullable(String) CODEC(ZSTD(3)),
  input_tokens Nullable(Int64),
  output_tokens Nullable(Int64),
  cost_micro Nullable(Int64),
  duration_ms Nullable(Int32),
  attempts Nullable(Int32),
  replaced_by Nullable(UUID),
  uncertain_cost_micro Nullable(Int64),
  estimated_tokens Nullable(Int64),
  batch UInt32,
  INDEX by_id id TYPE bloom_filter GRANULARITY 1,
  INDEX by_test_id test_id TYPE bloom_filter GRANULARITY 1,
  INDEX by_run_id run_id TYPE bloom_filter GRANULARITY 1
)
ENGINE = ReplicatedMergeTree('/clickhouse/tables/{shard}/ems/evaluation_local', '{replica}') PARTITION BY toYYYYMM(created_at)
ORDER BY (application_id, created_at, id);
ALTER TABLE ems.evaluation_local ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS application_id UUID, ADD COLUMN IF NOT EXISTS id UUID, ADD COLUMN IF NOT EXISTS created_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD), ADD COLUMN IF NOT EXISTS score_micro Nullable(Int64), ADD COLUMN IF NOT EXISTS score_exact Nullable(Float64), ADD COLUMN IF NOT EXISTS test_id UUID, ADD COLUMN IF NOT EXISTS run_id UUID, ADD COLUMN IF NOT EXISTS task_id UUID, ADD COLUMN IF NOT EXISTS topic_id Nullable(UUID), ADD COLUMN IF NOT EXISTS definition_id UUID, ADD COLUMN IF NOT EXISTS passed Nullable(Bool), ADD COLUMN IF NOT EXISTS org_id String CODEC(ZSTD(3)), ADD COLUMN IF NOT EXISTS definition_type LowCardinality(String), ADD COLUMN IF NOT EXISTS status LowCardinality(String), ADD COLUMN IF NOT EXISTS message Nullable(String) CODEC(ZSTD(3)), ADD COLUMN IF NOT EXISTS results Nullable(String) CODEC(ZSTD(3)), ADD COLUMN IF NOT EXISTS waiting_for Nullable(String) CODEC(ZSTD(3)), ADD COLUMN IF NOT EXISTS expected Nullable(String) CODEC(ZSTD(3)), ADD COLUMN IF NOT EXISTS modified_at Nullable(DateTime64(3, 'UTC')), ADD COLUMN IF NOT EXISTS definition_version Nullable(Int32), ADD COLUMN IF NOT EXISTS judge_version Nullable(String) CODEC(ZSTD(3)), ADD COLUMN IF NOT EXISTS model_connection_id Nullable(UUID), ADD COLUMN IF NOT EXISTS model Nullable(String) CODEC(ZSTD(3)), ADD COLUMN IF NOT EXISTS input_tokens Nullable(Int64), ADD COLUMN IF NOT EXISTS output_tokens Nullable(Int64), ADD COLUMN IF NOT EXISTS cost_micro Nullable(Int64), ADD COLUMN IF NOT EXISTS duration_ms Nullable(Int32), ADD COLUMN IF NOT EXISTS attempts Nullable(Int32), ADD COLUMN IF NOT EXISTS replaced_by Nullable(UUID), ADD COLUMN IF NOT EXISTS uncertain_cost_micro Nullable(Int64), ADD COLUMN IF NOT EXISTS estimated_tokens Nullable(Int64), ADD COLUMN IF NOT EXISTS batch UInt32, ADD INDEX IF NOT EXISTS by_id id TYPE bloom_filter GRANULARITY 1, ADD INDEX IF NOT EXISTS by_test_id test_id TYPE bloom_filter GRANULARITY 1, ADD INDEX IF NOT EXISTS by_run_id run_id TYPE bloom_filter GRANULARITY 1;
CREATE TABLE IF NOT EXISTS ems.evaluation ON CLUSTER 'main' AS ems.evaluation_local
ENGINE = Distributed('main', 'ems', 'evaluation_local', cityHash64(application_id));
ALTER TABLE ems.evaluation ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS application_id UUID, ADD COLUMN IF NOT EXISTS id UUID, ADD COLUMN IF NOT EXISTS created_at DateTime64(3, 'UTC'), ADD COLUMN IF NOT EXISTS score_micro Nullable(Int64), ADD COLUMN IF NOT EXISTS score_exact Nullable(Float64), ADD COLUMN IF NOT EXISTS test_id UUID, ADD COLUMN IF NOT EXISTS run_id UUID, ADD COLUMN IF NOT EXISTS task_id UUID, ADD COLUMN IF NOT EXISTS topic_id Nullable(UUID), ADD COLUMN IF NOT EXISTS definition_id UUID, ADD COLUMN IF NOT EXISTS passed Nullable(Bool), ADD COLUMN IF NOT EXISTS org_id String, ADD COLUMN IF NOT EXISTS definition_type LowCardinality(String), ADD COLUMN IF NOT EXISTS status LowCardinality(String), ADD COLUMN IF NOT EXISTS message Nullable(String), ADD COLUMN IF NOT EXISTS results Nullable(String), ADD COLUMN IF NOT EXISTS waiting_for Nullable(String), ADD COLUMN IF NOT EXISTS expected Nullable(String), ADD COLUMN IF NOT EXISTS modified_at Nullable(DateTime64(3, 'UTC')), ADD COLUMN IF NOT EXISTS definition_version Nullable(Int32), ADD COLUMN IF NOT EXISTS judge_version Nullable(String), ADD COLUMN IF NOT EXISTS model_connection_id Nullable(UUID), ADD COLUMN IF NOT EXISTS model Nullable(String), ADD COLUMN IF NOT EXISTS input_tokens Nullable(Int64), ADD COLUMN IF NOT EXISTS output_tokens Nullable(Int64), ADD COLUMN IF NOT EXISTS cost_micro Nullable(Int64), ADD COLUMN IF NOT EXISTS duration_ms Nullable(Int32), ADD COLUMN IF NOT EXISTS attempts Nullable(Int32), ADD COLUMN IF NOT EXISTS replaced_by Nullable(UUID), ADD COLUMN IF NOT EXISTS uncertain_cost_micro Nullable(Int64), ADD COLUMN IF NOT EXISTS estimated_tokens Nullable(Int64), ADD COLUMN IF NOT EXISTS batch UInt32;
CREATE TABLE IF NOT EXISTS ems.trace_local ON CLUSTER 'main' (
  application_id UUID,
  id UUID,
  earlier_id Nullable(UUID),
  continues Nullable(UUID),
  org_id String CODEC(ZSTD(3)),
  reference_id Nullable(String) CODEC(ZSTD(3)),
  test_id Nullable(UUID),
  timestamp DateTime64(3, 'UTC') CODEC(Delta, ZSTD),
  type String CODEC(ZSTD(3)),
  event Nullable(String) CODEC(ZSTD(3)),
  root_at Nullable(DateTime64(3, 'UTC')),
  is_root_child Bool,
  has_error Bool,
  steps Int32,
  bytes Int32,
  started_at Nullable(DateTime64(3, 'UTC')),
  ended_at Nullable(DateTime64(3, 'UTC')),
  step_count Int32,
  total_cost Float64,
  total_duration_ms Int64,
  started_us Nullable(Int64),
  ended_us Nullable(Int64),
  duration_us Nullable(Int64),
  total_prompt_tokens Int64,
  total_completion_tokens Int64,
  total_cached_tokens Int64,
  total_cache_write_tokens Int64,
  total_reasoning_tokens Int64,
  priced_steps Int32,
  unpriced_steps Int32,
  holds_usage Bool,
  pinned Int32,
  metadata String CODEC(ZSTD(3)),
  evals Nullable(String) CODEC(ZSTD(3)),
  end_user Nullable(String) CODEC(ZSTD(3)),
  end_user_key Nullable(UUID),
  service Nullable(String) CODEC(ZSTD(3)),
  version Nullable(String) CODEC(ZSTD(3)),
  environment Nullable(String) CODEC(ZSTD(3)),
  service_rank Nullable(Int64),
  version_rank Nullable(Int64),
  environment_rank Nullable(Int64),
  session Nullable(String) CODEC(ZSTD(3)),
  session_id Nullable(UUID),
  replaced_characters Int32,
  created_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD),
  modified_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD),
  words Array(UInt64) CODEC(ZSTD(3)),
  batch UInt32,
  INDEX by_id id TYPE bloom_filter GRANULARITY 1,
  INDEX by_earlier_id earlier_id TYPE bloom_filter GRANULARITY 1,
  INDEX by_test_id test_id TYPE bloom_filter GRANULARITY 1,
  INDEX by_reference_id reference_id TYPE bloom_filter GRANULARITY 1,
  INDEX by_end_user_key end_user_key TYPE bloom_filter GRANULARITY 1,
  INDEX by_words arrayMap(one -> toString(one), words) TYPE text(tokenizer = 'array')
)
ENGINE = ReplicatedMergeTree('/clickhouse/tables/{shard}/ems/trace_local', '{replica}') PARTITION BY toYYYYMM(created_at)
ORDER BY (application_id, created_at, id)
SETTINGS index_granularity = 1024;
ALTER TABLE ems.trace_local ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS application_id UUID, ADD COLUMN IF NOT EXISTS id UUID, ADD COLUMN IF NOT EXISTS earlier_id Nullable(UUID), ADD COLUMN IF NOT EXISTS continues Nullable(UUID), ADD COLUMN IF NOT EXISTS org_id String CODEC(ZSTD(3)), ADD COLUMN IF NOT EXISTS reference_id Nullable(String) CODEC(ZSTD(3)), ADD COLUMN IF NOT EXISTS test_id Nullable(UUID), ADD COLUMN IF NOT EXISTS timestamp DateTime64(3, 'UTC') CODEC(Delta, ZSTD), ADD COLUMN IF NOT EXISTS type String CODEC(ZSTD(3)), ADD COLUMN IF NOT EXISTS event Nullable(String) CODEC(ZSTD(3)), ADD COLUMN IF NOT EXISTS root_at Nullable(DateTime64(3, 'UTC')), ADD COLUMN IF NOT EXISTS is_root_child Bool, ADD COLUMN IF NOT EXISTS has_error Bool, ADD COLUMN IF NOT EXISTS steps Int32, ADD COLUMN IF NOT EXISTS bytes Int32, ADD COLUMN IF NOT EXISTS started_at Nullable(DateTime64(3, 'UTC')), ADD COLUMN IF NOT EXISTS ended_at Nullable(DateTime64(3, 'UTC')), ADD COLUMN IF NOT EXISTS step_count Int32, ADD COLUMN IF NOT EXISTS total_cost Float64, ADD COLUMN IF NOT EXISTS total_duration_ms Int64, ADD COLUMN IF NOT EXISTS started_us Nullable(Int64), ADD COLUMN IF NOT EXISTS ended_us Nullable(Int64), ADD COLUMN IF NOT EXISTS duration_us Nullable(Int64), ADD COLUMN IF NOT EXISTS total_prompt_tokens Int64, ADD COLUMN IF NOT EXISTS total_completion_tokens Int64, ADD COLUMN IF NOT EXISTS total_cached_tokens Int64, ADD COLUMN IF NOT EXISTS total_cache_write_tokens Int64, ADD COLUMN IF NOT EXISTS total_reasoning_tokens Int64, ADD COLUMN IF NOT EXISTS priced_steps Int32, ADD COLUMN IF NOT EXISTS unpriced_steps Int32, ADD COLUMN IF NOT EXISTS holds_usage Bool, ADD COLUMN IF NOT EXISTS pinned Int32, ADD COLUMN IF NOT EXISTS metadata String CODEC(ZSTD(3)), ADD COLUMN IF NOT EXISTS evals Nullable(String) CODEC(ZSTD(3)), ADD COLUMN IF NOT EXISTS end_user Nullable(String) CODEC(ZSTD(3)), ADD COLUMN IF NOT EXISTS end_user_key Nullable(UUID), ADD COLUMN IF NOT EXISTS service Nullable(String) CODEC(ZSTD(3)), ADD COLUMN IF NOT EXISTS version Nullable(String) CODEC(ZSTD(3)), ADD COLUMN IF NOT EXISTS environment Nullable(String) CODEC(ZSTD(3)), ADD COLUMN IF NOT EXISTS service_rank Nullable(Int64), ADD COLUMN IF NOT EXISTS version_rank Nullable(Int64), ADD COLUMN IF NOT EXISTS environment_rank Nullable(Int64), ADD COLUMN IF NOT EXISTS session Nullable(String) CODEC(ZSTD(3)), ADD COLUMN IF NOT EXISTS session_id Nullable(UUID), ADD COLUMN IF NOT EXISTS replaced_characters Int32, ADD COLUMN IF NOT EXISTS created_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD), ADD COLUMN IF NOT EXISTS modified_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD), ADD COLUMN IF NOT EXISTS words Array(UInt64) CODEC(ZSTD(3)), ADD COLUMN IF NOT EXISTS batch UInt32, ADD INDEX IF NOT EXISTS by_id id TYPE bloom_filter GRANULARITY 1, ADD INDEX IF NOT EXISTS by_earlier_id earlier_id TYPE bloom_filter GRANULARITY 1, ADD INDEX IF NOT EXISTS by_test_id test_id TYPE bloom_filter GRANULARITY 1, ADD INDEX IF NOT EXISTS by_reference_id reference_id TYPE bloom_filter GRANULARITY 1, ADD INDEX IF NOT EXISTS by_end_user_key end_user_key TYPE bloom_filter GRANULARITY 1, ADD INDEX IF NOT EXISTS by_words arrayMap(one -> toString(one), words) TYPE text(tokenizer = 'array');
CREATE TABLE IF NOT EXISTS ems.trace ON CLUSTER 'main' AS ems.trace_local
ENGINE = Distributed('main', 'ems', 'trace_local', cityHash64(application_id));
ALTER TABLE ems.trace ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS application_id UUID, ADD COLUMN IF NOT EXISTS id UUID, ADD COLUMN IF NOT EXISTS earlier_id Nullable(UUID), ADD COLUMN IF NOT EXISTS continues Nullable(UUID), ADD COLUMN IF NOT EXISTS org_id String, ADD COLUMN IF NOT EXISTS reference_id Nullable(String), ADD COLUMN IF NOT EXISTS test_id Nullable(UUID), ADD COLUMN IF NOT EXISTS timestamp DateTime64(3, 'UTC'), ADD COLUMN IF NOT EXISTS type String, ADD COLUMN IF NOT EXISTS event Nullable(String), ADD COLUMN IF NOT EXISTS root_at Nullable(DateTime64(3, 'UTC')), ADD COLUMN IF NOT EXISTS is_root_child Bool, ADD COLUMN IF NOT EXISTS has_error Bool, ADD COLUMN IF NOT EXISTS steps Int32, ADD COLUMN IF NOT EXISTS bytes Int32, ADD COLUMN IF NOT EXISTS started_at Nullable(DateTime64(3, 'UTC')), ADD COLUMN IF NOT EXISTS ended_at Nullable(DateTime64(3, 'UTC')), ADD COLUMN IF NOT EXISTS step_count Int32, ADD COLUMN IF NOT EXISTS total_cost Float64, ADD COLUMN IF NOT EXISTS total_duration_ms Int64, ADD COLUMN IF NOT EXISTS started_us Nullable(Int64), ADD COLUMN IF NOT EXISTS ended_us Nullable(Int64), ADD COLUMN IF NOT EXISTS duration_us Nullable(Int64), ADD COLUMN IF NOT EXISTS total_prompt_tokens Int64, ADD COLUMN IF NOT EXISTS total_completion_tokens Int64, ADD COLUMN IF NOT EXISTS total_cached_tokens Int64, ADD COLUMN IF NOT EXISTS total_cache_write_tokens Int64, ADD COLUMN IF NOT EXISTS total_reasoning_tokens Int64, ADD COLUMN IF NOT EXISTS priced_steps Int32, ADD COLUMN IF NOT EXISTS unpriced_steps Int32, ADD COLUMN IF NOT EXISTS holds_usage Bool, ADD COLUMN IF NOT EXISTS pinned Int32, ADD COLUMN IF NOT EXISTS metadata String, ADD COLUMN IF NOT EXISTS evals Nullable(String), ADD COLUMN IF NOT EXISTS end_user Nullable(String), ADD COLUMN IF NOT EXISTS end_user_key Nullable(UUID), ADD COLUMN IF NOT EXISTS service Nullable(String), ADD COLUMN IF NOT EXISTS version Nullable(String), ADD COLUMN IF NOT EXISTS environment Nullable(String), ADD COLUMN IF NOT EXISTS service_rank Nullable(Int64), ADD COLUMN IF NOT EXISTS version_rank Nullable(Int64), ADD COLUMN IF NOT EXISTS environment_rank Nullable(Int64), ADD COLUMN IF NOT EXISTS session Nullable(String), ADD COLUMN IF NOT EXISTS session_id Nullable(UUID), ADD COLUMN IF NOT EXISTS replaced_characters Int32, ADD COLUMN IF NOT EXISTS created_at DateTime64(3, 'UTC'), ADD COLUMN IF NOT EXISTS modified_at DateTime64(3, 'UTC'), ADD COLUMN IF NOT EXISTS words Array(UInt64), ADD COLUMN IF NOT EXISTS batch UInt32;
CREATE TABLE IF NOT EXISTS ems.trace_step_local ON CLUSTER 'main' (
  application_id UUID,
  month DateTime64(3, 'UTC') CODEC(Delta, ZSTD),
  trace_id UUID,
  id UUID,
  parent_id Nullable(UUID),
  timestamp DateTime64(3, 'UTC') CODEC(Delta, ZSTD),
  position Int32,
  size Int32,
  type LowCardinality(String),
  event LowCardinality(Nullable(String)),
  input Nullable(String) CODEC(ZSTD(3)),
  output Nullable(String) CODEC(ZSTD(3)),
  fields String CODEC(ZSTD(3)),
  call_id Nullable(UUID),
  created_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD),
  batch UInt32,
  INDEX by_trace_id trace_id TYPE bloom_filter GRANULARITY 1
)
ENGINE = ReplicatedMergeTree('/clickhouse/tables/{shard}/ems/trace_step_local', '{replica}') PARTITION BY toYYYYMM(created_at)
ORDER BY (application_id, created_at, trace_id, timestamp, position)
SETTINGS index_granularity = 1024;
ALTER TABLE ems.trace_step_local ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS application_id UUID, ADD COLUMN IF NOT EXISTS month DateTime64(3, 'UTC') CODEC(Delta, ZSTD), ADD COLUMN IF NOT EXISTS trace_id UUID, ADD COLUMN IF NOT EXISTS id UUID, ADD COLUMN IF NOT EXISTS parent_id Nullable(UUID), ADD COLUMN IF NOT EXISTS timestamp DateTime64(3, 'UTC') CODEC(Delta, ZSTD), ADD COLUMN IF NOT EXISTS position Int32, ADD COLUMN IF NOT EXISTS size Int32, ADD COLUMN IF NOT EXISTS type LowCardinality(String), ADD COLUMN IF NOT EXISTS event LowCardinality(Nullable(String)), ADD COLUMN IF NOT EXISTS input Nullable(String) CODEC(ZSTD(3)), ADD COLUMN IF NOT EXISTS output Nullable(String) CODEC(ZSTD(3)), ADD COLUMN IF NOT EXISTS fields String CODEC(ZSTD(3)), ADD COLUMN IF NOT EXISTS call_id Nullable(UUID), ADD COLUMN IF NOT EXISTS created_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD), ADD COLUMN IF NOT EXISTS batch UInt32, ADD INDEX IF NOT EXISTS by_trace_id trace_id TYPE bloom_filter GRANULARITY 1;
CREATE TABLE IF NOT EXISTS ems.trace_step ON CLUSTER 'main' AS ems.trace_step_local
ENGINE = Distributed('main', 'ems', 'trace_step_local', cityHash64(application_id));
ALTER TABLE ems.trace_step ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS application_id UUID, ADD COLUMN IF NOT EXISTS month DateTime64(3, 'UTC'), ADD COLUMN IF NOT EXISTS trace_id UUID, ADD COLUMN IF NOT EXISTS id UUID, ADD COLUMN IF NOT EXISTS parent_id Nullable(UUID), ADD COLUMN IF NOT EXISTS timestamp DateTime64(3, 'UTC'), ADD COLUMN IF NOT EXISTS position Int32, ADD COLUMN IF NOT EXISTS size Int32, ADD COLUMN IF NOT EXISTS type LowCardinality(String), ADD COLUMN IF NOT EXISTS event LowCardinality(Nullable(String)), ADD COLUMN IF NOT EXISTS input Nullable(String), ADD COLUMN IF NOT EXISTS output Nullable(String), ADD COLUMN IF NOT EXISTS fields String, ADD COLUMN IF NOT EXISTS call_id Nullable(UUID), ADD COLUMN IF NOT EXISTS created_at DateTime64(3, 'UTC'), ADD COLUMN IF NOT EXISTS batch UInt32;
CREATE ROW POLICY IF NOT EXISTS application ON CLUSTER 'main' ON ems.*
USING application_id = toUUID(getSetting('log_comment')) TO ALL;
