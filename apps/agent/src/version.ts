/** Of the agent. npm run agent:version writes this file. */
export const version = '0.331.35603'
/** SHA-256 of what is built of the agent, without the version in it. */
export const builtSum = '26250c1a9bf493594f8515d2b340ba2089715c781ec70af6d588e8f70014a928'
