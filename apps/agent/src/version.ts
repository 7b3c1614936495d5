/** Of the agent. npm run agent:version writes this file. */
export const version = '0.331.60212'
/** SHA-256 of what is built of the agent, without the version in it. */
export const builtSum = 'd3b131c3a9a338c52b26e0f91e6f9678a20ac8164ade1c1582ccb6596c8833f2'
