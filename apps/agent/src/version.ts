/** Of the agent. npm run agent:version writes this file. */
export const version = '0.330.73735'
/** SHA-256 of what is built of the agent, without the version in it. */
export const builtSum = '44245f87f24c8cc02886d9aa8d803637af844ab6c15233f24157d17c0640fb3b'
