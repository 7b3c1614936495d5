/** Of the agent. npm run agent:version writes this file. */
export const version = '0.331.64230'
/** SHA-256 of what is built of the agent, without the version in it. */
export const builtSum = 'ca415e6baf0df05d312b49335683ee316d057605eec7238f161ffe2f5a0593a1'
