#!/usr/bin/env bash
# Makes all recordings again with the newest versions. Usage: record.sh FOLDER [FRAMEWORK], where FOLDER receives the
# packages of each environment.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
only=${2:-}
mkdir -p "$1"
cd "$1"

# record FRAMEWORK VERSIONED_PACKAGE PACKAGE...
record() {
  framework=$1
  package=$2
  [ -z "$only" ] || [ "$only" = "$framework" ] || return 0
  if [ ! -d "$framework" ]; then
    python3 -m venv "$framework"
    "$framework/bin/pip" install --quiet "${@:2}" opentelemetry-sdk opentelemetry-exporter-otlp-proto-http
  fi
  version=$("$framework/bin/python" -c "from importlib.metadata import version; print(version('$package'))")
  rm -f "$here/$framework"-[0-9]*.bin
  "$framework/bin/python" "$here/record.py" "$here/$framework-$version.bin" "$framework"
}

record openai_agents openai-agents openinference-instrumentation-openai-agents
record claude_agent_sdk claude-agent-sdk openinference-instrumentation-claude-agent-sdk
record langgraph langgraph langchain langchain-openai openinference-instrumentation-langchain
record langgraph_openllmetry langgraph langchain langchain-openai opentelemetry-instrumentation-langchain
record llama_index llama-index-core llama-index-llms-openai openinference-instrumentation-llama-index
record pydantic_ai pydantic-ai-slim 'pydantic-ai-slim[openai]'
record langfuse langfuse openai
record mlflow mlflow-skinny openai numpy pandas
# Laminar's instrumentation of OpenAI does not load with later versions of OpenTelemetry.
record laminar lmnr openai 'opentelemetry-sdk<1.39'
record agent_framework agent-framework-core agent-framework-openai
record autogen autogen-agentchat 'autogen-ext[openai]' openinference-instrumentation-autogen-agentchat
record crewai crewai openinference-instrumentation-crewai openinference-instrumentation-openai
record dspy dspy openinference-instrumentation-dspy
record google_adk google-adk 'google-adk>=2.10' openinference-instrumentation-google-adk
record haystack haystack-ai openinference-instrumentation-haystack
record semantic_kernel semantic-kernel
record smolagents smolagents 'smolagents[openai]' openinference-instrumentation-smolagents
record strands strands-agents 'strands-agents[openai]'
