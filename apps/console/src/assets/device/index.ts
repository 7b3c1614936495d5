// What other areas may use of devices.
export { AgentRulesPanel } from './AgentRulesPanel.tsx'
export { PresenceFacts } from './DeviceFacts.tsx'
export { presences } from './device-words.ts'
