// What other areas may use of terminals.
export { AccessCodePanel } from './access-code/AccessCodePanel.tsx'
export { ConsentPanel } from './support/ConsentPanel.tsx'
export { OpenTerminalButton } from './OpenTerminalButton.tsx'
export { SessionsPanel } from './SessionsPanel.tsx'
