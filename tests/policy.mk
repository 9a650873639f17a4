# tests of policy
