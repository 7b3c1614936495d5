// What other areas may use of terminals.
export { OpenTerminalButton } from './OpenTerminalButton.tsx'
export { SessionsPanel } from './SessionsPanel.tsx'
