// What other areas may use of devices.
export { AgentRulesPanel } from './AgentRulesPanel.tsx'
