int unused_store_test;
