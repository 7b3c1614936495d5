/** Of the agent. npm run agent:version writes this file. */
export const version = '0.330.53517'
/** SHA-256 of what is built of the agent, without the version in it. */
export const builtSum = '9668f2f99033ad56074d355b5d5b3f9f2da8980b0fde589cdca016b0794eac4b'
