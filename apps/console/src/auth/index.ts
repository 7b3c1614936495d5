// What other areas may use of signing in.
export { AuthFrame } from './AuthFrame.tsx'
export { askPasskey, makePasskey, noPasskeys } from './passkey-browser.ts'
export { ProviderProof } from './ProviderProof.tsx'
export { providerWords } from './provider-words.ts'
