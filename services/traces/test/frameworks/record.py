"""Records what a framework's tracing sends for two conversations: one with a tool, one whose model fails (README.md).

Usage: python record.py FILE FRAMEWORK, where the framework is one of the functions below.
"""

import asyncio
import contextlib
import os
import sys
import traceback

import server

url, recorder = server.start(sys.argv[1])
os.environ |= {
    "OPENAI_API_KEY": "none",
    "OPENAI_BASE_URL": f"{url}/v1",
    "OPENAI_API_BASE": f"{url}/v1",
    "ANTHROPIC_API_KEY": "none",
    "ANTHROPIC_BASE_URL": url,
    "GOOGLE_API_KEY": "none",
}
model = "gpt-5-mini"
questions = [server.question, server.failing]


def get_fee(country: str) -> str:
    """Returns the fee of a transfer to a country.

    Args:
        country: The country.
    """
    return server.fee


def tracing():
    """Returns a provider of tracers that exports to the server."""
    from opentelemetry import trace
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    provider = TracerProvider(resource=Resource({"service.name": "teller"}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(f"{url}/v1/traces")))
    trace.set_tracer_provider(provider)
    return provider


@contextlib.contextmanager
def application_span():
    """A span of the application that states session and user."""
    from opentelemetry import trace

    facts = {"session.id": server.session, "user.id": server.user}
    with trace.get_tracer("teller").start_as_current_span("request", attributes=facts):
        yield


def openinference(name):
    """Instruments with a package of OpenInference."""
    import importlib

    provider = tracing()
    module = importlib.import_module(f"openinference.instrumentation.{name}")
    instrumentor = next(each for key, each in vars(module).items() if key.endswith("Instrumentor") and key != "BaseInstrumentor")
    instrumentor().instrument(tracer_provider=provider)
    return provider


def session_context():
    from openinference.instrumentation import using_attributes

    return using_attributes(session_id=server.session, user_id=server.user)


def run(ask, context=contextlib.nullcontext):
    """Asks both questions. The second one fails."""
    for question in questions:
        try:
            with context():
                result = ask(question)
                if asyncio.iscoroutine(result):
                    asyncio.run(result)
        except Exception as error:
            if question != server.failing:
                traceback.print_exc()
            print(type(error).__name__, file=sys.stderr)


def openai_agents():
    from agents import Agent, OpenAIResponsesModel, Runner, function_tool
    from openai import AsyncOpenAI

    provider = openinference("openai_agents")
    tool = function_tool(get_fee)

    def ask(question):
        chosen = OpenAIResponsesModel(model=model, openai_client=AsyncOpenAI(max_retries=0))
        agent = Agent(name="teller", instructions="Be brief.", model=chosen, tools=[tool])
        Runner.run_sync(agent, question)

    run(ask, session_context)
    provider.shutdown()


def claude_agent_sdk():
    provider = openinference("claude_agent_sdk")
    from claude_agent_sdk import ClaudeAgentOptions, create_sdk_mcp_server, query, tool

    @tool("get_fee", "Returns the fee of a transfer to a country.", {"country": str})
    async def fee(_):
        return {"content": [{"type": "text", "text": server.fee}]}

    bank = create_sdk_mcp_server(name="bank", tools=[fee])
    options = ClaudeAgentOptions(
        model="claude-sonnet-4-5",
        system_prompt="Be brief.",
        mcp_servers={"bank": bank},
        allowed_tools=["mcp__bank__get_fee"],
        setting_sources=[],
        env={"ENABLE_TOOL_SEARCH": "false", "DISABLE_TELEMETRY": "1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1"},
    )

    async def ask(question):
        async for _ in query(prompt=question, options=options):
            pass

    run(ask, session_context)
    provider.shutdown()


def llama_index():
    from llama_index.core.agent.workflow import FunctionAgent
    from llama_index.llms.openai import OpenAI

    provider = openinference("llama_index")

    async def ask(question):
        llm = OpenAI(model=model, api_base=f"{url}/v1", max_retries=0)
        await FunctionAgent(tools=[get_fee], llm=llm, system_prompt="Be brief.").run(user_msg=question)

    run(ask, session_context)
    provider.shutdown()


def langgraph():
    from langchain.agents import create_agent
    from langchain_openai import ChatOpenAI

    provider = openinference("langchain")
    agent = create_agent(ChatOpenAI(model=model, max_retries=0), tools=[get_fee], system_prompt="Be brief.")
    run(lambda question: agent.invoke({"messages": [("user", question)]}), session_context)
    provider.shutdown()


def langgraph_openllmetry():
    from langchain.agents import create_agent
    from langchain_openai import ChatOpenAI
    from opentelemetry.instrumentation.langchain import LangchainInstrumentor

    provider = tracing()
    LangchainInstrumentor().instrument()
    agent = create_agent(ChatOpenAI(model=model, max_retries=0), tools=[get_fee], system_prompt="Be brief.")
    run(lambda question: agent.invoke({"messages": [("user", question)]}), application_span)
    provider.shutdown()


def pydantic_ai():
    from openai import AsyncOpenAI
    from pydantic_ai import Agent
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    provider = tracing()
    Agent.instrument_all()
    client = AsyncOpenAI(max_retries=0)
    chosen = OpenAIChatModel(model, provider=OpenAIProvider(openai_client=client))
    agent = Agent(chosen, name="teller", instructions="Be brief.", tools=[get_fee])
    run(lambda question: agent.run_sync(question), application_span)
    provider.shutdown()


def langfuse():
    from langfuse import Langfuse, observe, propagate_attributes
    from langfuse.openai import OpenAI

    client = Langfuse(public_key="pk-lf-1", secret_key="ems_none", base_url=url)
    models = OpenAI(max_retries=0)

    @observe(as_type="tool", name="get_fee")
    def fee(country):
        return get_fee(country)

    @observe(as_type="agent", name="teller")
    def ask(question):
        messages = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": question}]
        models.chat.completions.create(model=model, messages=messages, tools=[chat_tool])
        messages.append({"role": "tool", "tool_call_id": "call_1", "content": fee("Switzerland")})
        return models.chat.completions.create(model=model, messages=messages).choices[0].message.content

    run(ask, lambda: propagate_attributes(session_id=server.session, user_id=server.user, tags=["fees"]))
    client.flush()


chat_tool = {
    "type": "function",
    "function": {
        "name": "get_fee",
        "parameters": {"type": "object", "properties": {"country": {"type": "string"}}},
    },
}


def mlflow():
    import mlflow
    from openai import OpenAI

    os.environ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"] = f"{url}/v1/traces"
    os.environ["OTEL_EXPORTER_OTLP_TRACES_PROTOCOL"] = "http/protobuf"
    mlflow.openai.autolog()
    models = OpenAI(max_retries=0)

    @mlflow.trace(span_type="TOOL", name="get_fee")
    def fee(country):
        return get_fee(country)

    @mlflow.trace(span_type="AGENT", name="teller")
    def ask(question):
        span = mlflow.get_current_active_span()
        span.set_attributes({"session.id": server.session, "user.id": server.user})
        messages = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": question}]
        models.chat.completions.create(model=model, messages=messages, tools=[chat_tool])
        messages.append({"role": "tool", "tool_call_id": "call_1", "content": fee("Switzerland")})
        return models.chat.completions.create(model=model, messages=messages).choices[0].message.content

    run(ask)
    mlflow.flush_trace_async_logging()


def laminar():
    from lmnr import Laminar, observe
    from openai import OpenAI

    # Laminar exports over gRPC.
    Laminar.initialize(project_api_key="none", base_url="http://127.0.0.1", grpc_port=server.listen(recorder))
    models = OpenAI(max_retries=0)

    @observe(name="get_fee", span_type="TOOL")
    def fee(country):
        return get_fee(country)

    @observe(name="teller", session_id=server.session, user_id=server.user)
    def ask(question):
        messages = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": question}]
        models.chat.completions.create(model=model, messages=messages, tools=[chat_tool])
        messages.append({"role": "tool", "tool_call_id": "call_1", "content": fee("Switzerland")})
        return models.chat.completions.create(model=model, messages=messages).choices[0].message.content

    run(ask)
    Laminar.flush()


globals()[sys.argv[2]]()
print(recorder.paths, file=sys.stderr)
