/** Of the agent. npm run agent:version writes this file. */
export const version = '0.330.59064'
/** SHA-256 of what is built of the agent, without the version in it. */
export const builtSum = '11722f3bcb386d92a9d4c358c244e7fa74589833502bdbb58ca991f5a03ccb30'
