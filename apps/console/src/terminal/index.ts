// What other areas may use of terminals.
export { ConsentPanel } from './support/ConsentPanel.tsx'
export { OpenTerminalButton } from './OpenTerminalButton.tsx'
export { SessionsPanel } from './SessionsPanel.tsx'
