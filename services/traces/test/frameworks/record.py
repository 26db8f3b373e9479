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
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    "CREWAI_DISABLE_TELEMETRY": "true",
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



def crewai():
    from crewai import LLM, Agent, Crew, Task
    from crewai.tools import tool
    from openinference.instrumentation.openai import OpenAIInstrumentor

    provider = openinference("crewai")
    OpenAIInstrumentor().instrument(tracer_provider=provider)
    fee = tool("get_fee")(get_fee)

    def ask(question):
        llm = LLM(model=f"openai/{model}", base_url=f"{url}/v1", api_key="none", max_retries=0)
        teller = Agent(role="teller", goal="Answer.", backstory="A teller.", tools=[fee], llm=llm, max_retry_limit=0)
        task = Task(description=question, expected_output="An answer.", agent=teller)
        Crew(agents=[teller], tasks=[task]).kickoff()

    run(ask, session_context)
    provider.shutdown()


def google_adk(provider=None, context=contextlib.nullcontext):
    from functools import cached_property

    from google.adk.agents import Agent
    from google.adk.models import Gemini
    from google.adk.runners import InMemoryRunner
    from google.genai import types

    provider = provider or openinference("google_adk")

    class Local(Gemini):
        @cached_property
        def api_client(self):
            from google.genai import Client

            return Client(api_key="none", http_options=types.HttpOptions(base_url=url))

    async def ask(question):
        agent = Agent(name="teller", model=Local(model="gemini-2.5-flash"), instruction="Be brief.", tools=[get_fee])
        runner = InMemoryRunner(agent=agent, app_name="bank")
        await runner.session_service.create_session(app_name="bank", user_id=server.user, session_id=server.session)
        message = types.Content(role="user", parts=[types.Part(text=question)])
        async for _ in runner.run_async(user_id=server.user, session_id=server.session, new_message=message):
            pass

    run(ask, context)
    provider.shutdown()


def google_adk_builtin():
    os.environ["OTEL_SEMCONV_STABILITY_OPT_IN"] = "gen_ai_latest_experimental"
    os.environ["OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"] = "SPAN_ONLY"
    google_adk(tracing(), application_span)


def strands():
    from strands import Agent, tool
    from strands.models.openai import OpenAIModel

    provider = tracing()
    facts = {"session.id": server.session, "user.id": server.user}

    def ask(question):
        chosen = OpenAIModel(client_args={"base_url": f"{url}/v1", "api_key": "none", "max_retries": 0}, model_id=model)
        agent = Agent(model=chosen, tools=[tool(get_fee)], system_prompt="Be brief.", trace_attributes=facts)
        agent(question)

    run(ask)
    provider.shutdown()


def agent_framework():
    from agent_framework import Agent
    from agent_framework.observability import enable_instrumentation
    from agent_framework.openai import OpenAIChatClient

    provider = tracing()
    enable_instrumentation(enable_sensitive_data=True)

    async def ask(question):
        client = OpenAIChatClient(model=model, api_key="none", base_url=f"{url}/v1")
        await Agent(client=client, name="teller", instructions="Be brief.", tools=[get_fee]).run(question)

    run(ask, application_span)
    provider.shutdown()


def smolagents():
    from smolagents import OpenAIServerModel, ToolCallingAgent, tool

    provider = openinference("smolagents")

    def ask(question):
        chosen = OpenAIServerModel(model_id=model, api_base=f"{url}/v1", api_key="none", client_kwargs={"max_retries": 0})
        ToolCallingAgent(tools=[tool(get_fee)], model=chosen, max_steps=3, verbosity_level=0).run(question)

    run(ask, session_context)
    provider.shutdown()


def haystack():
    from haystack.components.agents import Agent
    from haystack.components.generators.chat import OpenAIChatGenerator
    from haystack.dataclasses import ChatMessage
    from haystack.tools import create_tool_from_function

    provider = openinference("haystack")

    def ask(question):
        generator = OpenAIChatGenerator(model=model, api_base_url=f"{url}/v1", max_retries=0)
        agent = Agent(chat_generator=generator, tools=[create_tool_from_function(get_fee)], system_prompt="Be brief.")
        agent.run(messages=[ChatMessage.from_user(question)])

    run(ask, session_context)
    provider.shutdown()


def dspy():
    import dspy
    from openinference.instrumentation.litellm import LiteLLMInstrumentor

    provider = openinference("dspy")
    LiteLLMInstrumentor().instrument(tracer_provider=provider)
    dspy.configure(lm=dspy.LM(f"openai/{model}", api_base=f"{url}/v1", api_key="none", num_retries=0, cache=False))
    teller = dspy.Predict("question -> answer")
    run(lambda question: teller(question=question), session_context)
    provider.shutdown()


def autogen():
    from autogen_agentchat.agents import AssistantAgent
    from autogen_ext.models.openai import OpenAIChatCompletionClient

    provider = openinference("autogen_agentchat")

    async def ask(question):
        info = {"vision": False, "function_calling": True, "json_output": True, "structured_output": True, "family": "gpt-5"}
        client = OpenAIChatCompletionClient(model=model, base_url=f"{url}/v1", api_key="none", max_retries=0, model_info=info)
        agent = AssistantAgent("teller", model_client=client, tools=[get_fee], reflect_on_tool_use=True)
        await agent.run(task=question)

    run(ask, session_context)
    provider.shutdown()


def semantic_kernel():
    os.environ["SEMANTICKERNEL_EXPERIMENTAL_GENAI_ENABLE_OTEL_DIAGNOSTICS_SENSITIVE"] = "true"
    from openai import AsyncOpenAI
    from semantic_kernel.agents import ChatCompletionAgent
    from semantic_kernel.connectors.ai.open_ai import OpenAIChatCompletion
    from semantic_kernel.functions import kernel_function

    provider = tracing()

    class Bank:
        get_fee = staticmethod(kernel_function(get_fee, name="get_fee"))

    async def ask(question):
        client = AsyncOpenAI(max_retries=0)
        service = OpenAIChatCompletion(ai_model_id=model, async_client=client)
        agent = ChatCompletionAgent(service=service, name="teller", instructions="Be brief.", plugins=[Bank()])
        await agent.get_response(messages=question)

    run(ask, application_span)
    provider.shutdown()

globals()[sys.argv[2]]()
print(recorder.paths, file=sys.stderr)
