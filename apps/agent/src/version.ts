/** Of the agent. npm run agent:version writes this file. */
export const version = '0.331.57488'
/** SHA-256 of what is built of the agent, without the version in it. */
export const builtSum = '0478d63e85c7276cf2c4b96424657774c504e942dbc8a9504cc56472577fd9f5'
