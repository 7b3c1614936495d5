// What other areas may use of the Node.js that devices get from here.
export { AgentNodes, agentNodesDir } from './agent-nodes.ts'
export { mountAgentNodes } from './mount-agent-nodes.ts'
