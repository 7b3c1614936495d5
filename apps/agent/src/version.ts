/** Of this agent while it runs from its sources: older than whatever is built of them, which is given a version of its own (tools/agent-version.mjs). */
export const version = '0.1.0'
